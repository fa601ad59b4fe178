# How many pairs have no common divisor, by Euclid: remainders of which each waits for the one before
const n = 1000
const reps = 3

fn divisor(a: int, b: int) -> int {
    var x = a
    var y = b
    while y != 0 {
        let r = x % y
        x = y
        y = r
    }
    return x
}

fn divisors(shift: int) -> int = sum(if divisor(i + shift, j) == 1 { 1 } else { 0 } for i in 1:n, j in 1:n)

var s = divisors(0)
let start = time()
for r in 0:reps { s = divisors(s % 2) }
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
