# A scan reads twice and writes once: totals of chunks first.  All of a tile is asked for before it is waited for.
# RUN: dslc --emit=ptx --cpu=sm_90 %s | FileCheck %s
# CHECK: .entry k{{[0-9]+}}_loop
# CHECK: ld.global
# CHECK-NOT: st.global.f64 {{.*}}+
# CHECK: bar.sync
# CHECK: .entry k{{[0-9]+}}_loop
# CHECK: st.global.f64 {{.*}}+32768]
let x: f64[1000000] = load("x.npy")
print(cumsum(2 * x)[n - 1])
const n = 1000000
