## Rules of derivatives that a program has of its own.  Those here give 10 times what is right where that shows that they
## are used.

struct Spring { stiffness: f64, length: f64, id: int }

# a number, a rule each way; wrong on purpose
fn cube(x: f64) -> f64 = x^3
vjp fn cube(x: f64, s: f64) -> f64 = s * 30 * x^2

fn loud(x: f64) -> f64 = x^2
jvp fn loud(x: f64, d: f64) -> f64 = 20 * x * d

print(grad(cube)(2.0), jvp(cube)(2.0, 1.0), grad(loud)(2.0), jvp(loud)(2.0, 1.0))

# the value, kept or computed anew
fn soft(x: f64[n]) -> f64[n] = exp(x) / sum(exp(x))
vjp fn soft(x: f64[n], y: f64[n], s: f64[n]) -> f64[n] = y * (s - sum(y * s))
print(vjp(soft)([1.0, 2.0, 3.0], [1.0, 0.0, 0.0]))
print(jvp(soft)([1.0, 2.0, 3.0], [1.0, 0.0, 0.0]))
print(jacobian(soft)([1.0, 2.0, 3.0]))

# a struct, an int, more than one result
fn stretch(s: Spring, x: f64, times: int) -> (f64, int, f64[2]) = (f64(times) * s.stiffness * (x - s.length)^2, times, [x, s.length])
vjp fn stretch(s: Spring, x: f64, times: int, g: (f64, int, f64[2])) -> (Spring, f64) {
    let e = x - s.length
    let k = 2 * f64(times) * s.stiffness * e * g.0
    return (Spring(stiffness=f64(times) * e^2 * g.0, length=g.2[1] - k, id=0), k + g.2[0])
}
let spring = Spring(stiffness=2, length=1, id=7)
print(vjp(stretch)(spring, 3.0, 2, (1.0, 0, [10.0, 100.0])))
print(jvp(stretch)(spring, 3.0, 2, (Spring(stiffness=1, length=0, id=0), 1.0)))

# in a loop, in branches, in parallel, for each element, nothing active
fn chain(x: f64, steps: int) -> f64 {
    var y = x
    for t in 0:steps { y = if y > 1 { sqrt(cube(y)) } else { y + 0.25 } }
    return y
}
print(grad(chain)(0.9, 3))
fn all_of(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    parallel for i in 0:n { y[i] = cube(x[i]) * x[0] }
    return sum(y) + sum(cube(v) for v in x) + sum(cube(x))
}
print(grad(all_of)([1.0, 2.0, 3.0]))
fn inactive(x: f64) -> f64 = x * cube(2.0)
print(grad(inactive)(1.0))

kernel each(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = cube(x[i]) }
}
fn launched(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch each[ceildiv(n, 4), 4](y, x)
    return sum(y)
}
print(grad(launched)([1.0, 2.0, 3.0]))

# through a rule: twice
fn right(x: f64) -> f64 = x^3
vjp fn right(x: f64, s: f64) -> f64 = s * 3 * x^2
fn both(x: f64[2]) -> f64 = right(x[0]) * right(x[1])
print(hessian(both)([2.0, 1.0]))
print(hvp(both)([2.0, 1.0], [1.0, 0.0]), grad(grad(right))(2.0), grad(grad(grad(right)))(2.0))

# rules for one of several functions of a name, and of a generic one
fn twice(x: f64) -> f64 = 2 * x
fn twice(x: f64[n]) -> f64[n] = 2 * x
vjp fn twice(x: f64[n], s: f64[n]) -> f64[n] = 20 * s
print(grad(twice)(1.0), grad(fn(x) => sum(twice(x)))([1.0, 2.0]))
fn size2(x: T[..]) -> T = sum(x^2)
vjp fn size2(x: T[..], s: T) -> T[..] = 20 * s * x
print(grad(size2)([1.0, 2.0]), grad(size2)([[1.0, 2.0]]))

# a function that calls itself
fn power(x: f64, k: int) -> f64 = if k == 0 { 1.0 } else { x * power(x, k - 1) }
vjp fn power(x: f64, k: int, s: f64) -> f64 = if k == 0 { 0.0 } else { s * f64(k) * power(x, k - 1) }
print(grad(power)(2.0, 5))
