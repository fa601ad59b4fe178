# Loops, comprehensions and reductions over arrays: names, expressions, rows; at top level, in functions, in kernels
struct Body { x: f64, mass: f64 }
const weights = [1, 2, 3]
const doubled = [2 * w for w in weights]

fn total(xs: f64[n]) -> f64 {
    var s = 0.0
    for x in xs { s += x }
    return s
}
fn first_above(xs: f64[n], limit: f64) -> f64 {
    for x in xs {
        if x > limit { return x }
    }
    return -1.0
}
fn sums(a: T[n, m]) -> T[n] = [sum(row) for row in a]
fn made(k: int) -> int[k] = [i * i for i in 0:k]
fn evens(xs: int[n]) -> int {
    var count = 0
    for x in xs {
        if x % 2 == 1 { continue }
        if x > 100 { break }
        count += 1
    }
    return count
}

let xs = [3.0, 1.0, 2.0]
let m = [[1, 2, 3], [4, 5, 6]]
let bodies = [Body(f64(i), 2) for i in 0:3]

# statements
for x in xs { print(x) }
for row in m { print(row, sum(row)) }
for b in bodies { print(b.x * b.mass) }
for v in [10, 20] { print(v) }
for v in xs[1:] - xs[:2] { print(v) }
for v in xs[::-1] { print(v) }
for column in m.T { print(column[1], column) }
for v in made(3) { print(v) }
for n in made(3) { print(zeros(int, n), n) }
for row in m {
    for v in row {
        if v == 3 { break }
        print(v)
    }
}
for x in zeros(f64, 0) { print("never", x) }
for w in doubled { print(w) }
for b in xs > 1.5 { print(b) }
for t in progress(xs) { print(t) }
for t in progress(made(2) + 1) { print(t) }
print(total(xs), first_above(xs, 1.5), first_above(xs, 9.0), evens([2, 3, 4, 102, 6]))

# the array as it was before the loop
var ys = [1, 2, 3]
for y in ys {
    ys[2] = 10
    ys = ys + y
}
print(ys)
var mm = [[1, 2], [3, 4]]
for row in mm {
    mm[1] = row * 10
    mm[0, 0] += 1
}
print(mm)
var z = xs
for x in z + 1 { z[0] += x }
print(z)

# comprehensions and reductions over expressions
print([2 * x for x in xs[1:]], sum(abs(v) for v in xs - 2), [sum(row) for row in m.T])
print([x + y for x in xs[:2], y in [0.5, 0.25]], [i * x for i in 0:2, x in xs + 1])
print([row * 2 for row in m], [row[::-1] for row in m], [[v * v for v in row[1:]] for row in m])
print(max(sum(row) for row in m + 1), sums(m * 2), sums([xs, xs]))
print(sum(v for row in m, v in row), max(v * w for row in m, v in row[1:], w in weights))
print(any(x > 2 for x in xs * 2), scan(fn(p, q) => p + q, v for v in xs[1:]), mean(x for x in xs[:2]))
print(reduce(fn(p, q) => p * q, 1, n for n in made(4) + 1), [zeros(int, 2) + n for n in made(3)])
print([b.x for b in bodies[1:]], sum(b.mass for b in bodies[::2]))
