# A part of an array that is written afresh, and a pad, are a thread for each element on a GPU; on the processor they go by rows.
# RUN: dslc --emit=plan --target=cuda --choose=rows=no %s | FileCheck %s
# RUN: dslc --emit=loops %s | FileCheck --check-prefix=CPU %s
# CHECK: @inside
# CHECK: parallel(%{{.*}}, %{{.*}}) {kind = plain{{.*}}  # a launch on the GPU
# CHECK-NOT: parallel
# CHECK: @framed
# CHECK: parallel(%{{.*}}, %{{.*}}) {kind = plain{{.*}}  # a launch on the GPU
# CHECK-NOT: parallel
# CHECK: @line
# CHECK: parallel(%{{.*}}) {kind = plain{{.*}}  # a launch on the GPU
# CHECK-NOT: parallel
# CHECK: main @main
# CPU: @inside
# CPU: parallel(%{{[^,]*}}) {{{.*}}
# CPU: parallel(
export fn inside(u: f64[n, m]) -> f64[n, m] {
    var next = u
    next[1:n - 1, 1:m - 1] = [u[i - 1, j] + u[i + 1, j] for i in 1:n - 1, j in 1:m - 1]
    return next
}
export fn framed(u: f32[n, m]) -> f32[a, b] = pad(2 * u, 2, f32(0))
export fn line(u: f64[n]) -> f64[n] {
    var next = u
    next[1:n - 1] = [u[i - 1] + u[i + 1] for i in 1:n - 1]
    return next
}
print(inside(ones(f64, 4, 5)))
