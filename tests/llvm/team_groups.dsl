# Threads of a team do elements beside each other of a loop that they share out, so that these are one load, one store: four of f32,
# two of f64.  What is left over by 32 is done one by one; so is all where rows do not begin at 16 bytes, or an array is read elsewhere.
# RUN: dslc --emit=ptx %s | FileCheck %s
# CHECK: .entry k{{[0-9]+}}_loop
# CHECK-COUNT-12: ld.global.nc.v4.f32
# CHECK: st.global.v4.f32
# CHECK: .entry k{{[0-9]+}}_loop
# CHECK: ld.global.nc.v2.f64
# CHECK: st.global.v2.f64
# CHECK: st.global.f64
# CHECK: .entry k{{[0-9]+}}_loop
# CHECK-NOT: ld.global.nc.v{{.*}}f32
# CHECK-NOT: st.global.v
# CHECK: .entry k{{[0-9]+}}_loop
# CHECK-NOT: ld.global.nc.v{{.*}}f32
# CHECK-NOT: st.global.v
# CHECK: .entry
fn norm(x: T[n, m], scale: T[m], shift: T[m]) -> T[n, m] {
    let mean = [sum(x[i, j] for j in 0:m) / T(m) for i in 0:n]
    return [(x[i, j] - mean[i]) * x[i, j] * scale[j] + shift[j] for i in 0:n, j in 0:m]
}
fn apart(x: f32[n, m], scale: f32[m]) -> f32[n, m] {
    let mean = [sum(x[i, j] for j in 0:m) / f32(m) for i in 0:n]
    return [(x[i, j] - mean[i]) * scale[m - 1 - j] for i in 0:n, j in 0:m]
}
var x: f32[1000, 1024] = load("x.npy")
for r in 0:3 { x = norm(x, x[0], x[1]) }
var y: f64[1000, 1002] = load("y.npy")
for r in 0:3 { y = norm(y, y[0], y[1]) }
var z: f32[1000, 1001] = load("z.npy")
for r in 0:3 { z = norm(z, z[0], z[1]) }
for r in 0:3 { x = apart(x, x[0]) }
print(sum(x), sum(y), sum(z))
