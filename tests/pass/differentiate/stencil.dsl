# The gradient of a launch that is a stencil is a stencil: the reverse sweep has no atomic update, and keeps nothing, for the steps
# are linear.
# RUN: dslc --emit=par %s -o - | FileCheck %s
# CHECK-LABEL: func @slope
# CHECK-NOT: atomic
# CHECK: for(
# CHECK: %[[LAST:.*]] = const {value = -1} : i64
# CHECK: for(%{{.*}}, %{{.*}}, %{{.*}}, {{.*}}) : f64[n], f64[n]
# CHECK-NOT: atomic
kernel step(next: out f64[n], cur: f64[n], prev: f64[n], c: f64) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 {
        next[i] = 2*cur[i] - prev[i] + c^2 * (cur[i-1] - 2*cur[i] + cur[i+1])
    }
}
fn wave(u0: f64[n], c: f64, steps: int) -> f64 {
    var prev = u0
    var cur = u0
    for t in 0:steps {
        var next = zeros(f64, n)
        launch step[ceildiv(n, 256), 256](next, cur, prev, c)
        prev = cur
        cur = next
    }
    return sum(cur^2)
}
export fn slope(u0: f64[n], c: f64, steps: int) -> f64[n] = grad(wave, wrt=u0)(u0, c, steps)
