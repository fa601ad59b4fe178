# Sums leave the branches of launches and parallel loops, too, before derivatives are taken: no sum stands in another.
# RUN: dslc --emit=par %s -o - | FileCheck --strict-whitespace %s
# RUN: dslc --emit=grad --ad-before-opt %s -o - | FileCheck --strict-whitespace --check-prefix=FIRST %s
# CHECK-LABEL: func @slope
# CHECK-NOT: {{^    +%[0-9a-z.]* = reduce}}
# CHECK: return
# CHECK-LABEL: func @slope_of_loop
# CHECK-NOT: {{^    +%[0-9a-z.]* = reduce}}
# CHECK: return
# CHECK-LABEL: func @slope_of_two
# CHECK-NOT: {{^    +%[0-9a-z.]* = reduce}}
# CHECK: return
# FIRST-LABEL: func @slope
# FIRST: {{^    +%[0-9a-z.]* = reduce}}
kernel normalize(out: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { out[i] = x[i] / sqrt(sum(x[k]^2 for k in 0:n)) }
}
fn launched(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch normalize[ceildiv(n, 64), 64](y, x)
    return sum(y^3)
}
fn looped(x: f64[n], c: f64) -> f64 {
    var y = zeros(f64, n)
    parallel for i in 0:n { if x[i] > c { y[i] = x[i] / sum(1 / x[k] for k in 0:n) } }
    return sum(y^3)
}
kernel softmax(out: out f64[n], x: f64[n], m: int) {
    let i = block.x * blockdim.x + thread.x
    if i >= m {
        if i < n {
            let top = max(x[k] for k in 0:n)
            out[i] = exp(x[i] - top) / sum(exp(x[k] - top) for k in 0:n)
        }
    }
}
fn soft(x: f64[n], m: int) -> f64 {
    var y = zeros(f64, n)
    launch softmax[ceildiv(n, 64), 64](y, x, m)
    return sum(y^3)
}
export fn slope(x: f64[n]) -> f64[n] = grad(launched)(x)
export fn slope_of_loop(x: f64[n], c: f64) -> f64[n] = grad(looped, wrt=x)(x, c)
export fn slope_of_two(x: f64[n], m: int) -> f64[n] = grad(soft, wrt=x)(x, m)
