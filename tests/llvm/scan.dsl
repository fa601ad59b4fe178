# A scan is one launch: a tile comes in, all of it asked for before it is waited for; blocks signal their totals, and await those before
# them; each element is written once.
# RUN: dslc --emit=ptx --cpu=sm_90 %s | FileCheck %s
# CHECK: .entry k{{[0-9]+}}_loop
# CHECK: .entry k{{[0-9]+}}_loop
# CHECK-COUNT-16: ld.global.nc.f64
# CHECK: bar.sync
# CHECK: st.global.f64
# CHECK: st.release.gpu.u32
# CHECK: ld.acquire.gpu.u32
# CHECK: ld.global.f64
# CHECK: bar.sync
# CHECK: st.release.gpu.u32
# CHECK: ld.acquire.gpu.u32
# CHECK: st.release.gpu.u32
# CHECK: st.global.f64 {{.*}}+30720]
# CHECK-NOT: ld.global.f64
let x: f64[1000000] = load("x.npy")
print(cumsum(2 * x)[n - 1])
const n = 1000000
