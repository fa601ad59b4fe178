# What a kernel reads comes before its first division or root, which ptxas makes branches of; but not before what is
# written there, where that may be the same, nor what the division says the place of.
# RUN: dslc --emit=ptx %s | FileCheck %s
# CHECK: .entry k{{[0-9]*}}_both
# CHECK-COUNT-4: ld.global
# CHECK-NOT: ld.global
# CHECK-COUNT-2: div.rn.f64
# CHECK: sqrt.rn.f64
# CHECK: st.global.f64
# CHECK: .entry k{{[0-9]*}}_own
# CHECK: ld.global.f64
# CHECK: div.rn.f64
# CHECK: st.global.f64
# CHECK: ld.global.f64
# CHECK: div.rn.f64
# CHECK: .entry k{{[0-9]*}}_place
# CHECK: div.rn.f64
# CHECK: ld.global.nc.f64
# CHECK: .entry k{{[0-9]*}}_single
# CHECK-COUNT-3: ld.global.nc.f32
# CHECK: div.rn.f32
kernel both(y: out f64[n], x: f64[n], z: f64[n], w: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n - 1 { y[i] = x[i] / z[i] + sqrt(w[i] / x[i + 1]) }
}
kernel own(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n / 2 {
        y[2 * i] = x[i] / y[2 * i]
        y[2 * i + 1] = y[i * 2] + y[2 * i + 1] / x[i]
    }
}
kernel place(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = x[min(max(int(f64(i) / x[i]), 0), n - 1)] }
}
kernel single(y: out f32[n], x: f32[n], z: f32[n], w: f32[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = x[i] / z[i] + w[i] }
}
export fn all(x: f64[n], z: f64[n], v: f32[m]) -> (f64[n], f64[n], f64[n], f32[m]) {
    var y = zeros(f64, n)
    launch both[ceildiv(n, 64), 64](y, x, z, z)
    var o = x
    launch own[ceildiv(n, 64), 64](o, x)
    var p = zeros(f64, n)
    launch place[ceildiv(n, 64), 64](p, x)
    var q = zeros(f32, m)
    launch single[ceildiv(m, 64), 64](q, v, v, v)
    return (y, o, p, q)
}
