# RUN: dslc --target=sim --emit=loops %s | FileCheck %s
# RUN: dslc run --target=sim %s | FileCheck %s --check-prefix=OUT
# The adjoint of what the threads of a block have in common adds to the array once for the block: the first thread does it, between
# barriers, that is in a loop over threads of its own.
# CHECK: kind = block
# CHECK: kind = thread
# CHECK: kind = thread
# CHECK: [[FIRST:%[0-9]+]] = eq(%{{[0-9a-z.]+}}, %{{[0-9]+}}) : bool
# CHECK-NEXT: if([[FIRST]])
# CHECK: for(
# CHECK: store
# OUT: [1.25 1.0625 0.875 0.6875 1.1875 1. 0.8125]
kernel scaled(y: out f64[n, m], x: f64[n, m]) {
    let i = block.x
    let s = sum(x[i, k] * x[i, k] for k)
    for j in thread.x:m:5 { y[i, j] = x[i, j] / s }
}
fn f(x: f64[n, m]) -> f64 {
    var y = zeros(f64, n, m)
    launch scaled[n, 5](y, x)
    return sum(y)
}
let x = [f64((i * 7 + j * 3) % 11 - 4) / 8 for i in 0:2, j in 0:int(sum(ones(f64, 7)))]
print(grad(f)(x)[0])
