# A derivative that is called from several places is one function.
# RUN: dslc --emit=par %s -o - | FileCheck %s
# CHECK-COUNT-1: cos(
# CHECK-NOT: cos(
fn long(x: f64[n], steps: int) -> f64 {
    var y = x
    for t in 0:steps {
        y = [y[i] + 0.1 * (y[max(i - 1, 0)] - 2 * y[i] + y[min(i + 1, n - 1)]) for i in 0:n]
        y += 0.01 * sin(y)
        y -= 0.001 * y^3 / (1 + y^2) + 0.002 * y^5 / (2 + y^2)
        y[0] = y[1] * 0.5 + y[0] * 0.5
        y[n - 1] = y[n - 2] * 0.5 + y[n - 1] * 0.5
    }
    return sum(y^2)
}
let slope = grad(long, wrt=x)
var x = rand(1, 100)
print(slope(x, 3)[0])
print(slope(2 * x, 3)[0])
if sum(x) > 1 { print(slope(x + 1, 3)[0]) }
