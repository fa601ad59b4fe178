# Rows that a team goes through three times come to shared memory by copies of 16 bytes, and go back by such; a row that is
# written once is written where it belongs.
# RUN: dslc --emit=ptx --cpu=sm_90 %s | FileCheck %s
# RUN: dslc --emit=ptx --cpu=sm_75 %s | FileCheck --check-prefix=OLD %s
# CHECK: .entry k{{[0-9]+}}_loop
# CHECK: .maxntid 64
# CHECK: cp.async.cg.shared.global {{.*}}, 16
# CHECK: cp.async.wait_all
# CHECK: ld.shared.f32
# CHECK: shfl.sync
# CHECK: ld.shared.f32
# CHECK: st.shared.f32
# CHECK: ld.shared.v4
# CHECK: st.global.v4
# CHECK-NOT: st.global.f32
# CHECK: .entry k{{[0-9]+}}_loop
# OLD-NOT: cp.async
# OLD: ld.global.{{(nc\.)?}}v4
# OLD: st.shared.v4
fn soft(x: f32[n, m]) -> f32[n, m] {
    let top = [max(x[i, j] for j in 0:m) for i in 0:n]
    let e = [exp(x[i, j] - top[i]) for i in 0:n, j in 0:m]
    let total = sum(e, axis=1)
    return [e[i, j] / total[i] for i in 0:n, j in 0:m]
}
var x: f32[100, 1000] = load("x.npy")
for r in 0:3 { x = soft(3 * x) }
print(sum(x))
