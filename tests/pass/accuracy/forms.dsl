# What is offered is written as a person would: names of let stay, what stood there stands as it did, numbers have the type of the place.
# RUN: dslc accuracy %s 2>/dev/null | FileCheck %s
# CHECK: log1p(-(rate * dt))
# CHECK: 2 * c / (d - b)
# CHECK: w[i] / (sqrt(p) + sqrt(x[i]))
# CHECK: {{35[.].* -$}}
# CHECK: f32(1.0)
# CHECK: where(b < 0, 0.5 * (sqrt(b^2 - 4) - b), -2 / (sqrt(b^2 - 4) + b))
# CHECK: 12 formulas were computed, of 5 another form is better
const rate = 1.0
fn decay(dt: f64) -> f64 = log(1 - rate * dt)
fn root(a: f64, b: f64, c: f64) -> f64 {
    let d = sqrt(b^2 - 4*a*c)
    return (-b - d) / (2 * a)
}
kernel ways(y: out f64[n], x: f64[n], w: f64[n]) {
    let i = block.x * 32 + thread.x
    let p = x[i] + 1
    y[i] = w[i] * (sqrt(p) - sqrt(x[i]))
}
fn series(x: f64) -> f64 = 1/x - 1/tan(x)
let x = 10.0^linspace(3.0, 9.0, 64)
var y = zeros(f64, 64)
launch ways[2, 32](y, x, x)
let one: f32 = 3e7
let unit = (one + 1) - one
let b = linspace(-1e7, 1e7, 64)
let r = (-b + sqrt(b^2 - 4)) / 2
print(sum(r), sum([decay(1/v) for v in x]), sum([root(1.0, -v, 1.0) for v in x]), sum(y), unit, sum([series(1/v) for v in x]))
