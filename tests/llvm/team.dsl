# A team of a GPU is eight threads beside each other in a warp: shuffles in the tree's order, and one for all at last.
# RUN: dslc --emit=ptx %s | FileCheck %s
# CHECK: .entry k{{[0-9]+}}_
# CHECK: shfl.sync.idx
# CHECK: shfl.sync.idx
# CHECK: shfl.sync.idx
# CHECK: shfl.sync.idx
# CHECK: bar.warp.sync
# CHECK: st.global.f32
export fn rows(a: f32[n, m]) -> f32[n] { return sum(a, axis=1) }
print(rows(ones(f32, 100, 1000))[3])
