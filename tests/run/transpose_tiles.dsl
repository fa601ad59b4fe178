# Arrays that are read along another axis than is written: on a GPU through tiles of shared memory
# kept: what it is given is made, and not computed where its elements are read
fn kept(x: f64[n, m]) -> f64[n, m] {
    var y = x
    if n > 5000 { y[0, 0] = 1.0 }
    return y
}
fn grid(n: int, m: int) -> f64[n, m] = kept([f64((i * 37 + j * 11) % 101) - 0.25 * f64(j) for i in 0:n, j in 0:m])
fn mark(x: f64[n, m]) -> f64 = sum(x[i, j] * f64((i * 5 + j * 3) % 11) for i in 0:n, j in 0:m)
fn turned(a: f64[n, m]) -> f64[m, n] = kept(a.T)
fn mixed(a: f64[n, m], b: f64[m, n]) -> f64[m, n] = kept(a.T * 2.0 + b - exp(-a.T * 0.01))
fn both(a: f64[n, n], b: f64[n, n]) -> f64[n, n] = kept([a[j, i] + b[j, i] * a[i, j] for i in 0:n, j in 0:n])

fn each(n: int, m: int) {
    let a = grid(n, m)
    print(n, m, mark(turned(a)), mark(mixed(a, grid(m, n))), mark(turned(turned(a)) - a))
}
each(1, 1)
each(32, 32)
each(33, 65)
each(100, 7)
each(7, 100)
each(0, 40)
each(40, 0)
print(mark(both(grid(70, 70), grid(70, 70) * 0.5)))

# Other types, more axes, axes that stay
let small = [u8(i * 7 + j) for i in 0:40, j in 0:50]
var turned_small = zeros(u8, 50, 40)
var chosen = zeros(bool, 50, 40)
var half = zeros(f16, 50, 40)
let flags = [(i * 7 + j) % 3 == 0 for i in 0:40, j in 0:50]
let halves = [f16(i * 7 + j) for i in 0:40, j in 0:50]
parallel for j in 0:50, i in 0:40 {
    turned_small[j, i] = small[i, j] + 1
    chosen[j, i] = not flags[i, j]
    half[j, i] = f16(halves[i, j] * 2)
}
print(sum([int(turned_small[j, i]) * (i + 2 * j) for j in 0:50, i in 0:40]), sum([if chosen[j, i] { i - j } else { j } for j in 0:50, i in 0:40]),
      sum([f64(half[j, i]) * f64(i + 2 * j) for j in 0:50, i in 0:40]))
let cube = [f64(i * 10000 + j * 100 + k) for i in 0:20, j in 0:34, k in 0:40]
var one = zeros(f64, 20, 40, 34)
var two = zeros(f64, 40, 34, 20)
var flat = zeros(f64, 40, 34)
parallel for i in 0:20, j in 0:40, k in 0:34 { one[i, j, k] = cube[i, k, j] }
parallel for i in 0:40, j in 0:34, k in 0:20 { two[i, j, k] = cube[k, j, i] }
parallel for j in 0:40, k in 0:34 { flat[j, k] = cube[3, k, j] }
print(mark(one[4]), mark(one[:, :, 5]), mark(two[6]), mark(two[:, :, 7]), mark(flat))

# A part of an array, a guard, several results
let wide = grid(60, 80)
var part = zeros(f64, 70, 50)
var guarded = zeros(f64, 60, 60)
parallel for i in 0:70, j in 0:50 { part[i, j] = wide[j, i] + wide[j + 1, i] }
parallel for i in 0:60, j in 0:60 { guarded[i, j] = if j < 40 { wide[i, j] * wide[j, i] } else { wide[j, 60] } }
print(mark(part), mark(guarded))
var p = zeros(f64, 64, 48)
var q = zeros(f64, 64, 48)
let from = grid(48, 64)
parallel for i in 0:64, j in 0:48 {
    p[i, j] = from[j, i]
    q[i, j] = from[j, i] * 2.0 - p[i, j] * f64(i)
}
print(mark(p), mark(q))
# In place, and rows of what is turned
var square = grid(40, 40)
square = square.T + square
square = kept(square)
let table = grid(45, 90)
print(mark(square), mark(kept(table.T - mean(table, axis=0)[:, newaxis])))
