# Bits of ints, one by one: their number, their order in reverse, Gray codes
const n = 3000000
const reps = 3

fn ones(x: int) -> int {
    var c = 0
    for k in 0:24 { c += (x >> k) & 1 }
    return c
}
fn backwards(x: int) -> int {
    var r = 0
    for k in 0:24 { r = (r << 1) | ((x >> k) & 1) }
    return r
}
fn from_gray(g: int) -> int {
    var x = g
    for k in 1:24 { x = x xor (g >> k) }
    return x
}

fn bits(shift: int) -> int = sum(ones(i * 7) + (backwards(i + shift) & 63) + (from_gray(i) & 31) for i in 0:n)

var s = bits(0)
let start = time()
for r in 0:reps { s = bits(s % 2) }
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
