# An array that is read along another axis than is written: a block takes a tile of it into shared memory, row by row,
# whose rows have one element more than they hold. What is read at an axis of its own is read as ever.
# RUN: dslc --emit=loops --target=cuda %s | FileCheck %s
# RUN: dslc --emit=ptx %s | FileCheck --check-prefix=PTX %s
# CHECK: @turned
# CHECK: name = "transpose"
# CHECK: kind = block
# CHECK: alloc : buf<f64[32, 33], shared>
# CHECK: kind = thread
# CHECK: load(%a.
# CHECK: store({{.*}}%tile
# CHECK: barrier
# CHECK: load(%tile
# CHECK: @mixed
# CHECK: buf<f32[32, 33], shared>
# CHECK-NOT: kind = plain
# CHECK: @small
# CHECK-NOT: shared
# CHECK: kind = plain
# CHECK: @within
# CHECK-NOT: shared
# CHECK: kind = plain
# CHECK: @changed
# CHECK-NOT: shared
# CHECK: kind = plain
# PTX: .entry k1_transpose
# PTX: .shared .align 64 .b8 shared{{[0-9]*}}[8448]
# PTX: bar.sync
# PTX: ld.shared.f64
# PTX: st.global.f64
export fn turned(a: f64[n, m]) -> f64[m, n] = a.T
export fn mixed(a: f32[n, m], b: f32[m, n]) -> f32[m, n] = a.T * b + exp(a.T)
export fn small(a: f64[8, m]) -> f64[m, 8] = a.T
export fn within(a: f64[n, n]) -> f64[n, n] = [if j > i { a[j, i] } else { 0.0 } for i in 0:n, j in 0:n]
export fn changed(a: f64[n, n]) -> f64[n, n] {
    var b = a
    parallel for i in 0:n, j in 0:n { if i > j { b[i, j] = b[j, i] } }
    return b
}
