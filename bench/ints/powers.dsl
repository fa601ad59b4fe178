# Powers modulo the prime 2^31 - 1, whose remainders are shifts and sums, by squaring: exponents of different length
const n = 300000
const prime = 2147483647
const reps = 3

fn folded(x: u64) -> u64 {
    let y = (x & u64(prime)) + (x >> 31)
    return if y >= u64(prime) { y - u64(prime) } else { y }
}

fn power(base: u64, exponent: int) -> u64 {
    var r = u64(1)
    var b = base
    var e = exponent
    while e > 0 {
        r = if e & 1 == 1 { folded(r * b) } else { r }
        b = folded(b * b)
        e = e >> 1
    }
    return r
}

fn powers(shift: int) -> int = sum(int(power(u64(i), i * 7 + shift) & u64(1023)) for i in 0:n)

var s = powers(0)
let start = time()
for r in 0:reps { s = powers(s % 2) }
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
