# An array all of which a launch writes over is not copied before, though others need what it had; of one that keeps
# something a copy is made.
# RUN: dslc --emit=llvm --target=cuda %s | FileCheck %s
# CHECK: define {{.*}}over
# CHECK: dsl_gpu_renewed(
# CHECK: dsl_gpu_launch(
# CHECK: define {{.*}}keeps
# CHECK: dsl_gpu_unique(
# CHECK: dsl_gpu_launch(
kernel all(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = 2 * x[i] }
}
kernel inner(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i > 0 and i < n { y[i] = 2 * x[i] }
}
export fn over(x: f64[n]) -> f64[n] {
    var a = x
    launch all[ceildiv(n, 64), 64](a, x)
    return a
}
export fn keeps(x: f64[n]) -> f64[n] {
    var a = x
    launch inner[ceildiv(n, 64), 64](a, x)
    return a
}
