# RUN: dslc %s --print-after=index-bodies --emit=par 2>&1 | FileCheck %s
# What a comprehension computes of whole arrays is computed by elements, where derivatives are taken; elsewhere nothing changes.
fn rows(x: f64[n, m], y: f64[m]) -> f64 = sum([sum(sqrt(x[i] * y + 1)) for i in 0:n]^2)
fn pieces(v: f64) -> f64 {
    var y = zeros(f64, 3)
    y[0] = sin(v)
    y[2] = v * v
    return sum(y[k]^2 for k in 0:3)
}
fn parts(x: f64[n]) -> f64 = sum([pieces(x[i]) for i in 0:n]^2)
fn kept(x: f64[n, m]) -> f64 = sum([sum(sqrt(x[i] * x[0] + 1)) for i in 0:n]^2)

# CHECK-LABEL: after index-bodies
# CHECK: vjp
# CHECK: generate
# CHECK-NOT: slice
# CHECK: reduce
# CHECK: extract(%x
# CHECK-NOT: [2]
# CHECK: sqrt(%{{[0-9]+}}) : f64{{$}}
print(grad(rows, wrt=x)([[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0]))
# CHECK: vjp
# CHECK: [[SIN:%.*]] = sin(
# CHECK: reduce
# CHECK-NOT: extract(%y
# CHECK: select({{.*}}, [[SIN]],
# CHECK-NOT: extract(%y
# CHECK: yield
print(grad(parts)([1.0, 2.0]))
# CHECK-NOT: vjp
# CHECK: slice
print(kept([[1.0, 2.0], [3.0, 4.0]]))
