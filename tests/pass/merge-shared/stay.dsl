# Arrays that are in use at one time stay two: no barrier between and none may come; a loop that goes around both; a
# branch for some threads; one that is read again.  On a CPU loops over threads stand where barriers were.
# RUN: dslc --without-pass=forward-shared.1 --emit=loops %s | FileCheck %s
# RUN: dslc --target=sim --emit=loops %s | FileCheck %s
kernel together(y: out f64[n], x: f64[n]) {
    shared a: f64[64]
    shared b: f64[64]
    let t = thread.x
    a[t] = x[block.x * 64 + t]
    b[63 - t] = a[t] + 1
    barrier
    y[block.x * 64 + t] = b[t] + a[63 - t]
}
# CHECK: name = "together"
# CHECK: %a{{[.0-9]*}} = alloc : buf<f64[64], shared>
# CHECK: %b{{[.0-9]*}} = alloc : buf<f64[64], shared>
kernel around(y: inout f64[n], x: f64[n], m: int) {
    shared a: f64[64]
    shared b: f64[64]
    let t = thread.x
    for k in 0:m {
        if k > 0 { y[block.x * 64 + t] += b[(t + k) % 64] }
        barrier
        a[t] = x[block.x * 64 + t] * k
        barrier
        b[t] = a[63 - t]
        barrier
    }
}
# CHECK: name = "around"
# CHECK: %a{{[.0-9]*}} = alloc : buf<f64[64], shared>
# CHECK: %b{{[.0-9]*}} = alloc : buf<f64[64], shared>
kernel again(y: out f64[n], x: f64[n]) {
    shared a: f64[64]
    shared b: f64[64]
    let t = thread.x
    a[t] = x[block.x * 64 + t]
    barrier
    b[t] = a[63 - t]
    barrier
    y[block.x * 64 + t] = b[(t + 1) % 64] + a[(t + 2) % 64]
}
# CHECK: name = "again"
# CHECK: %a{{[.0-9]*}} = alloc : buf<f64[64], shared>
# CHECK: %b{{[.0-9]*}} = alloc : buf<f64[64], shared>
kernel apart(y: out f64[n], x: f64[n]) {
    shared a: f64[64]
    shared b: f64[64]
    let t = thread.x
    if t < 32 { a[t] = x[block.x * 64 + t] } else { b[t] = x[block.x * 64 + t] }
    barrier
    if t < 32 { y[block.x * 64 + t] = a[31 - t] } else { y[block.x * 64 + t] = b[95 - t] }
}
# CHECK: name = "apart"
# CHECK: %a{{[.0-9]*}} = alloc : buf<f64[64], shared>
# CHECK: %b{{[.0-9]*}} = alloc : buf<f64[64], shared>
let n = 128
let x = [f64(i % 50) for i in 0:n]
var y = zeros(f64, n)
launch together[2, 64](y, x)
print(sum(y * y))
launch around[2, 64](y, x, int(x[5]))
print(sum(y * y))
launch again[2, 64](y, x)
print(sum(y * y))
launch apart[2, 64](y, x)
print(sum(y * y))
