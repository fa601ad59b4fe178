# On a GPU blocks have copies of small arrays that a launch updates: of ints, and, since sums of floats in a launch have no
# order there, of floats; on the simulator they have one. Of an array whose size is not known the first elements are in
# the copy, if the index is in the array. Threads of a warp add up first what they add to the same element.
# RUN: dslc --emit=loops --target=cuda %s | FileCheck %s
# RUN: dslc --emit=loops --target=sim %s | FileCheck --check-prefix=SIM %s
# RUN: dslc --emit=ptx %s | FileCheck --check-prefix=PTX %s
# CHECK: @known
# CHECK: %[[NONE:.*]] = const {value = -0.0} : f64
# CHECK: %copy = alloc : buf<f64[3, 4], shared>
# CHECK: alloc : buf<i64[3], shared>
# CHECK: store(%[[NONE]], %copy
# CHECK: barrier
# CHECK: atomic({{.*}}, %copy, {{.*}}kind = add}
# CHECK: barrier
# CHECK: atomic({{.*}}, %sums.4{{.*}} {kind = add, safe, few}
# CHECK: ne(
# CHECK: atomic({{.*}}, %sizes.4{{.*}} {kind = add, safe}
# CHECK: @unknown
# CHECK: %copy = alloc : buf<f64[512], shared>
# CHECK: barrier
# CHECK: lt(
# CHECK: ge(
# CHECK: lt(
# CHECK: atomic({{.*}}, %copy, {{.*}}kind = add, safe}
# CHECK: atomic({{.*}}, %h.4, {{.*}}kind = add}
# CHECK: barrier
# CHECK: atomic({{.*}}, %h.4, {{.*}}kind = add, safe, few}
# CHECK: @asked
# CHECK-NOT: shared
# SIM: @known
# SIM-NOT: buf<f64[3, 4], shared>
# SIM: buf<i64[3], shared>
# SIM: @unknown
# SIM-NOT: shared
# PTX: _known_kernel(
# PTX: match.any.sync.b64
# PTX: atom.shared.add.f64
# PTX: setp.{{eq|ne}}.s64 {{.*}}, -9223372036854775808
# PTX: match.any.sync.b64
# PTX: atom.global.add.f64
# PTX: _asked_kernel(
# PTX-NOT: match.any
# PTX: atom.global.add.f64
# PTX: _marks_kernel(
# PTX-NOT: .global.cas
# PTX: st.volatile.global.u8
# PTX: st.volatile.global.u16
# PTX: st.volatile.global.u8
# PTX: exit
kernel known_kernel(sums: inout f64[3, 4], sizes: inout int[3], x: f64[n], at: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        atomic sums[at[i], i % 4] += x[i]
        atomic sizes[at[i]] += 1
    }
}
export fn known(x: f64[n], at: int[n]) -> (f64[3, 4], int[3]) {
    var sums = zeros(f64, 3, 4)
    var sizes = zeros(int, 3)
    launch known_kernel[ceildiv(n, 128), 128](sums, sizes, x, at)
    return (sums, sizes)
}
kernel unknown_kernel(h: inout f64[m], x: f64[n], at: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic h[at[i]] += x[i] }
}
export fn unknown(x: f64[n], at: int[n], m: int) -> f64[m] {
    var h = zeros(f64, m)
    launch unknown_kernel[ceildiv(n, 128), 128](h, x, at)
    return h
}
kernel asked_kernel(h: inout f64[4], out: inout f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        let old = atomic h[i % 4] += 1.0
        out[i] = old
    }
}
export fn asked(n: int) -> f64[n] {
    var h = zeros(f64, 4)
    var out = zeros(f64, n)
    launch asked_kernel[ceildiv(n, 128), 128](h, out)
    return out
}
kernel marks_kernel(seen: inout bool[m], halves: inout f16[m], bytes: inout u8[m], at: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        atomic seen[at[i]] = true
        atomic halves[at[i]] = 1.5
        atomic bytes[at[i]] max= 7
    }
}
export fn marks(at: int[n], m: int) -> (bool[m], f16[m], u8[m]) {
    var seen = [false for i in 0:m]
    var halves = zeros(f16, m)
    var bytes = zeros(u8, m)
    launch marks_kernel[ceildiv(n, 128), 128](seen, halves, bytes, at)
    return (seen, halves, bytes)
}
