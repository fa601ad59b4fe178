# RUN: dslc --emit=grad %s -o - | FileCheck %s
# Of x[2*i + a] an element looks at those `a` alone that leave an even number: two of three, without a loop, and i follows.
# CHECK-LABEL: func @by_conv
# CHECK: generate : f64[n]
# CHECK-NEXT: (%[[J:.*]]: i64)
# CHECK: %[[Q:.*]] = idiv(%[[J]], %{{.*}})
# CHECK: %[[R:.*]] = mod(%[[J]], %{{.*}})
# CHECK-NOT: reduce
# CHECK: %[[A:.*]] = add(%[[R]], %{{.*}})
# CHECK: %[[I:.*]] = sub(%[[Q]], %{{.*}})
# CHECK-NOT: reduce
# CHECK: return
fn conv(x: f64[n], w: f64[3]) -> f64 = sum([sum(w[a] * x[2*i + a] for a) for i in 0:(n - 3) // 2 + 1])
export fn by_conv(x: f64[n], w: f64[3]) -> f64[n] = grad(conv, wrt=x)(x, w)

# Where a product might not fit, or the factor be 0, all places that read are looked at.
# CHECK-LABEL: func @by_any
# CHECK: ne(%s, %{{.*}}) : bool
# CHECK: le(%{{.*}}, %{{.*}}) : bool
# CHECK: if(%{{.*}}) {few}
# CHECK: return
fn any(x: f64[n], s: int) -> f64 = sum([x[s*i] for i in 0:(n - 1) // s + 1])
export fn by_any(x: f64[n], s: int) -> f64[n] = grad(any, wrt=x)(x, s)

# What the windows' adjoints need is computed once for each window, not in each element.
# CHECK-LABEL: func @by_square
# CHECK: generate : f64[n - 2]
# CHECK: reduce
# CHECK: generate : f64[n]
# CHECK: extract
# CHECK-NOT: extract(%x
# CHECK: return
fn square(x: f64[n], w: f64[3]) -> f64 = sum(sum(w[a] * x[i + a] for a)^2 for i in 0:n - 2)
export fn by_square(x: f64[n], w: f64[3]) -> f64[n] = grad(square, wrt=x)(x, w)
