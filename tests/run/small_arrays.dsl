# Arrays of few elements: loops, branches, elements at any index, updates, matrices, all types, what is needed as a whole
struct Body { at: f64[2], speed: f64[2] }
fn orbit(a: f64, n: int) -> (f64[2], f64) {
    var x = [a, 8.0]
    var v = [0.75, 0.0]
    let turn = [[0.0, 1.0], [-1.0, 0.0]]
    for k in 0:n {
        let force = if x[0] > 0 { -x / norm(x)^3 } else { turn @ v }
        x += 0.1 * v
        if x[1] <= 0 { break }
        v += 0.1 * force
    }
    return (x, dot(v, x))
}
print(orbit(3.0, 40), orbit(-0.5, 7), orbit(1.0, 0))
fn counts(n: int) -> int[3] {
    var c = zeros(int, 3)
    for i in 0:n { c[i * i % 3] += i }
    return c
}
print(counts(10), counts(0), max(counts(7)))
var grid = [[1.0, 2.0], [3.0, 4.0]]
for i in 0:3 { grid[i % 2, (i + 1) % 2] = sum(grid[:, i % 2]) + grid[0, 0] * i }
print(grid, grid.T @ grid, sum(grid, axis=0), max(grid, axis=1), prod(grid))
# Ints of one byte wrap around, bools, floats of single precision; signs of zeros
var small = [i8(100), i8(27), i8(-128)]
for i in 0:3 { small[i] += small[(i + 1) % 3] }
print(small, sum(small), min(small), max(small))
var bits = [true, false, true]
for i in 0:4 { bits[i % 3] = bits[0] xor bits[2] }
print(bits, any(bits), all(bits))
print(sum([-0.0, -0.0]), max([-0.0, 0.0]), min([nan, 1.0]), prod([f32(0.1), f32(3.0)]), sum([-0.0]))
# Branches that give arrays, whole or in parts; arrays of one element
fn choose(k: int) -> f64[2] {
    var x = [1.0, 2.0]
    if k > 0 { x[k - 1] = 5.0 } else { x = [x[1], x[0]] }
    if k > 1 { x = x * 2.0 }
    return x
}
print(choose(0), choose(1), choose(2))
fn one(x: f64[1]) -> f64[1] {
    var y = x
    while y[0] > 1 { y = [y[0] / 2 - 0.1] }
    return y
}
print(one([10.0]), one([0.5]))
# Structs, arrays of them in loops, while with arrays in its condition
fn steps(b: Body) -> (Body, int) {
    var c = b
    var n = 0
    while norm(c.at) < 10 and n < 100 {
        c = Body(c.at + c.speed, [c.speed[1] * 1.1, -c.speed[0]])
        n += 1
    }
    return (c, n)
}
let (body, n) = steps(Body([0.1, 0.2], [0.5, 0.25]))
print(body.at, body.speed, n)
# In comprehensions, islands and calls around; in parallel loops
let centre = [0.5, -1.0]
let far = [norm([f64(i), f64(j)] - centre) for i in 0:3, j in 0:2]
print(far)
var out = zeros(f64, 4)
parallel for i in 0:4 { out[i] = centre[i % 2] * f64(i) }
print(out, concat(centre, out[:2]))
# An index outside is an error where it is, not an element
fn careful(x: f64[2], k: int) -> f64 = if k < 2 { x[k] } else { 0.0 }
print(careful([1.0, 2.0], 1), careful([1.0, 2.0], 5))
# Derivatives, of loops and twice
fn f(a: f64) -> f64 = orbit(a, 25).1
print(abs(grad(f)(2.0) - (f(2.0 + 1e-6) - f(2.0 - 1e-6)) / 2e-6) < 1e-6)
print(abs(grad(grad(f))(2.0) - (grad(f)(2.0 + 1e-6) - grad(f)(2.0 - 1e-6)) / 2e-6) < 1e-5)
fn rosenbrock(x: f64[2]) -> f64 = (1 - x[0])^2 + 100 * (x[1] - x[0]^2)^2
fn descend(start: f64[2], n: int) -> f64[2] {
    var x = start
    for k in 0:n { x -= 0.001 * grad(rosenbrock)(x) }
    return x
}
print(descend([0.0, 0.0], 10), jacobian(fn(x: f64[2]) => descend(x, 10))([0.0, 0.0]), hessian(rosenbrock)([1.0, 1.0]))
