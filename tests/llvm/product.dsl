# A matrix product on a GPU: tiles in shared memory, sums in registers, what lies side by side read as one; what is
# taken next is asked for before the sums of this turn, and the loop is not written out several times.
# RUN: dslc --emit=ptx %s | FileCheck %s
# RUN: dslc --emit=loops --target=cuda %s | FileCheck --check-prefix=LOOPS %s
# CHECK: .entry k{{[0-9]+}}_product
# CHECK: .maxntid 256
# CHECK: .minnctapersm 2
# CHECK: bar.sync
# CHECK: ld.global.nc.f32
# CHECK: ld.shared.v4.f32
# CHECK-COUNT-256: fma.rn.f32
# CHECK-NOT: fma.rn.f32
# CHECK: bar.sync
# CHECK: st.global.f32
# CHECK-NOT: atom
# CHECK: ret;
# CHECK: .entry k{{[0-9]+}}_product
# CHECK: ld.shared.v2.f64
# CHECK-COUNT-128: fma.rn.f64
# CHECK-NOT: fma.rn.f64
# LOOPS: kind = block, trans = [0, 1]
# LOOPS: alloc : buf<f32[8, 132], shared>
# LOOPS: alloc : buf<f32[8, 68], shared>
# LOOPS-NOT: gemm
export fn first(a: f32[n, k], b: f32[m, k]) -> f32[n, m] { return a @ b.T }
export fn second(a: f64[n, k], b: f64[k, m]) -> f64[n, m] { return a @ b }
arg n: int = 100
print(first(ones(f32, n, 200), ones(f32, n, 200))[3, 3], second(ones(f64, n, 200), ones(f64, 200, n))[3, 3])
