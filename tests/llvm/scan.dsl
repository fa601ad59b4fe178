# A scan is one launch: a tile comes in, all of it asked for before it is waited for; blocks signal their totals, and await those before
# them; each element is written once.
# RUN: dslc --emit=ptx --cpu=sm_90 %s | FileCheck %s
# CHECK: .entry k{{[0-9]+}}_loop
# CHECK: .entry k{{[0-9]+}}_loop
# CHECK-COUNT-16: ld.global.nc.f64
# CHECK: bar.sync
# CHECK-NOT: {{fence|membar|release|st.global}}
# CHECK: st.relaxed.gpu.v2.b64
# CHECK: ld.relaxed.gpu.v2.b64
# CHECK: bar.sync
# CHECK: st.relaxed.gpu.v2.b64
# CHECK: ld.relaxed.gpu.v2.b64
# CHECK: st.relaxed.gpu.v2.b64
# CHECK: st.global.f64 {{.*}}+30720]
# CHECK-NOT: ld.global.f64
let x: f64[1000000] = load("x.npy")
print(cumsum(2 * x)[n - 1])
const n = 1000000
