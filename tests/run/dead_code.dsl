# Values that would be wrong where nobody comes are no mistake: a program with a constant may be meant for another value of it.
const halo = 0
const wide = false
var y = zeros(int, 3)
let n = len(y)
if halo > 0 { y[halo - 1] = 1 }
if halo > 4 { y[4] = 1 } else { y[halo] = 7 }
if wide and n > 2 { print(y[2 * n], 5 // halo) }
if halo != 0 { print(5 // halo, 5 % halo) }
if halo > 0 { print(zeros(f64, halo - 1), y[3:halo], y[halo - 1:], reshape(y, halo), [i for i in 3:halo]) }
for i in 0:n { if n > 5 and y[5] > 1 { print(i) } }
print(if halo > 0 { y[halo - 1] } else { -1 }, if halo == 0 { 0 } else { 10 // halo }, halo != 0 and 5 // halo == 1)

fn last(x: int[m], k: int) -> int {
    if halo == 0 { return x[0] + k }
    return x[m + 3 - halo] // halo
}
print(last([4, 5], 1), y)

kernel shifted(a: inout int[m]) {
    let t = thread.x
    let at = min(-6, 2) + 0 * t
    if t < m and at >= 0 { a[t] = a[at] }
    if halo > 0 { a[t] = a[halo - 1] }
}
launch shifted[1, 3](y)
print(y)
