# Arrays that a block uses one after the other have one memory, whatever they are of; the largest says how large it is.
# For a GPU barriers come back that separated nothing but these.
# RUN: dslc --without-pass=forward-shared.1 --emit=loops %s | FileCheck %s
# RUN: dslc --target=sim --emit=loops %s | FileCheck %s --check-prefixes=CHECK,SIM
# RUN: dslc --emit=ptx %s | FileCheck %s --check-prefix=PTX
# RUN: dslc check --explain-kernel %s | FileCheck %s --check-prefix=TAKES
# RUN: dslc --without-pass=forward-shared.1 --emit=c %s | FileCheck %s --check-prefix=C
kernel phases(y: out f32[n], z: out int[n], w: out u8[n], x: f32[n]) {
    shared few: u8[64]
    shared tile: f32[64]
    shared bins: int[64]
    let t = thread.x
    let i = block.x * 64 + t
    tile[t] = if i < n { x[i] } else { f32(0) }
    barrier
    if i < n { y[i] = tile[63 - t] }
    barrier
    if t < 50 { bins[t] = t * 3 }
    barrier
    if i < n { z[i] = bins[(t + 1) % 50] }
    barrier
    if t < 60 { few[t] = u8(t) }
    barrier
    if i < n { w[i] = few[(t * 5) % 60] }
}
# CHECK: %bins = alloc : buf<i64[64], shared>
# CHECK-NEXT: %few = alloc(%bins) : buf<u8[64], shared>
# CHECK-NEXT: %tile = alloc(%bins) : buf<f32[64], shared>
# SIM-COUNT-5: barrier(
# SIM-NOT: barrier(
# PTX: .shared .align 64 .b8 shared{{.*}}[512];
# PTX-NOT: .shared .align
# TAKES: 512 bytes of shared memory
# C: int64_t bins[64];
# C-NEXT: dsl_later_u8 *few = (void *)bins;
# C-NEXT: dsl_later_f32 *tile = (void *)bins;
let n = 100
let x = [f32(i % 50) for i in 0:n]
var y = zeros(f32, n)
var z = zeros(int, n)
var w = zeros(u8, n)
launch phases[2, 64](y, z, w, x)
print(sum(y), sum(z), sum(w))
