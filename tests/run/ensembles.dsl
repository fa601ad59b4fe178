# The same simulation many times, with other parameters: threads share the turns, and the bits are those of the serial
# loop.

## Upwind transport of a pulse
fn simulate(a: f64, n: int) -> f64[n] {
    var v = zeros(f64, n)
    v[0] = 1
    for t in 0:60 {
        v = [v[i] + a * ((if i > 0 { v[i-1] } else { 0.0 }) - v[i]) for i in 0:n]
    }
    return v
}
fn energy(a: f64, n: int) -> f64 {
    let v = simulate(a, n)
    return sum(v * v)
}

## Rows are halved until they are small: each in its own number of turns
fn shrink(a: f64, n: int) -> (f64[n], int) {
    var v = simulate(a, n) * 1e3
    var turns = 0
    while max(v) > a {
        v = v / 2
        turns += 1
        if turns == 7 { break }
    }
    return (v, turns)
}

## Its own arrays, in a function that calls itself
fn nested(a: f64, depth: int) -> f64 {
    let v = simulate(a, 20)
    if depth == 0 { return sum(v) }
    return nested(a / 2, depth - 1) + v[19] + sum(cumsum(v))
}

let a = linspace(0.1, 0.9, 40)
print("elements", sum(energy(x, 100) for x in a), [energy(x, 100) for x in a[0:3]])
let rows = [simulate(x, 100) for x in a]
print("rows", sum(rows), sum(rows[7, :]), rows[39, 99])
let grid = [energy(x * y, 50) for x in a, y in linspace(0.5, 1.0, 6)]
print("grid", sum(grid), grid[39, 5])

# Two results, rows from the last one on, under a guard
var m = ones(f64, 40, 100)
var turns = zeros(int, 40)
for k in 39:-1:-1 {
    if k % 3 != 1 {
        let (v, n) = shrink(a[k], 100)
        m[k, :] = v + m[k, :]
        turns[k] = n
    }
}
print("guarded", sum(m), turns)

# Columns; three axes; every other row; blocks of a vector
var columns = zeros(f64, 100, 40)
for k in 0:40 { columns[:, 39 - k] = simulate(a[k], 100) }
var sheets = zeros(f64, 80, 3, 50)
for k in 0:40 {
    for j in 0:3 { sheets[2*k + 1, j, :] = simulate(a[k] / (j + 1), 50) }
}
var blocks = zeros(f64, 40 * 50)
for k in 0:40 { blocks[50*k : 50*k + 50] = simulate(a[k], 50) }
var some = a
for k in 1:40:2 { some[k] = energy(some[k], 100) }
print("places", sum(columns), sum(sheets), sum(blocks), sum(some))
print("recursion", sum(nested(x, 3) for x in a))

# The old rows are kept: the loop writes a copy.
let before = rows
var after = rows
for k in 0:40 { after[k, :] = simulate(after[k, 5], 100) + before[k, :] }
print("copy", sum(before), sum(after), sum(rows))

# Not independent: each row begins with the one before; the elements of all
var chain = zeros(f64, 40, 100)
for k in 1:40 { chain[k, :] = simulate(a[k], 100) + chain[k - 1, :] / 2 }
var thirds = zeros(f64, 3)
for k in 0:40 { thirds[k % 3] = energy(a[k], 100) - thirds[k % 3] }
print("serial", sum(chain), thirds)

# Sizes that are known when the program runs; few turns, or none
fn many(a: f64[m], n: int) -> f64 {
    var r = zeros(f64, m, n)
    for k in 0:m { r[k, :] = simulate(a[k], n) }
    return sum(r)
}
let wide = int(sum(rows) / 0.4 + 0.5)
print("sizes", many(a, wide), many(a[0:1], 3 * wide), many(a, int(100 * a[39])), many(a[0:1], int(2e3 * a[39])), many(a[0:0], int(1e2 * a[3])), many(a, 1))

# The derivative of an ensemble is one.
fn loss(a: f64[n]) -> f64 = sum(energy(x, 100) for x in a)
let slope = grad(loss)(a)
print("gradient", sum(slope), slope[0], slope[39])
