# On a GPU loops whose elements read many neighbours bring a tile of them into shared memory, once, and wait once; a few
# neighbours are left to the cache, unless that is asked for. What the loop writes, or reads along another axis, is not
# brought.
# RUN: dslc --emit=loops --target=cuda --choose=rows=no %s | FileCheck %s
# RUN: dslc --emit=ptx %s | FileCheck --check-prefix=PTX %s
# RUN: dslc --emit=loops --target=cuda --choose=stencil-tiles=no %s | FileCheck --check-prefix=NO %s
# RUN: dslc --emit=loops --target=cuda --choose=stencil-tiles=yes %s | FileCheck --check-prefix=YES %s
# RUN: dslc check --explain-kernel %s | FileCheck --check-prefix=SAYS %s
# CHECK: @five
# CHECK: name = "stencil"
# CHECK: kind = block
# CHECK: alloc : buf<f32[12, 36], shared>
# CHECK: kind = thread
# CHECK: load(%x.
# CHECK: store({{.*}}%tile
# CHECK: barrier
# CHECK-NOT: load(%x.
# CHECK: load(%tile
# CHECK: @cube
# CHECK: buf<f64[6, 10, 34], shared>
# CHECK: @line
# CHECK: buf<i64[272], shared>
# CHECK: @two
# CHECK: buf<f64[11, 35], shared>
# CHECK: buf<i32[11, 35], shared>
# CHECK: @cross
# CHECK-NOT: shared
# CHECK: kind = plain
# CHECK: @own
# CHECK-NOT: shared
# CHECK: kind = plain
# CHECK: @adjoint
# CHECK: buf<f64[11, 35], shared>
# YES: @cross
# YES: buf<f64[10, 34], shared>
# YES: @own
# YES-NOT: shared
# YES: @adjoint
# NO-NOT: shared
# PTX: .entry k1_stencil
# PTX: .shared .align 64 .b8 shared{{[0-9]*}}[1728]
# PTX: ld.global.nc.f32
# PTX: st.shared.f32
# PTX: bar.sync
# PTX-NOT: ld.global.nc.f32
# PTX: ld.shared.f32
# PTX: .entry k2_
# SAYS: k1_stencil, blocks of 256 threads
# SAYS: tiles of 'x' in shared memory: 25 reads of an element become 1.7
# SAYS: reads 5 neighbours of 'x' for an element, which the cache serves; a tile in shared memory would take 1.3
export fn five(x: f32[n, m]) -> f32[n - 4, m - 4] {
    var y = zeros(f32, n - 4, m - 4)
    parallel for i in 0:n-4, j in 0:m-4 {
        var s = f32(0)
        for a in 0:5 { for b in 0:5 { s += x[i + a, j + b] * f32(a + 2 * b) } }
        y[i, j] = s
    }
    return y
}
export fn cube(x: f64[n, m, q]) -> f64[n - 2, m - 2, q - 2] =
    [sum([x[i + a, j + b, k + c] for a in 0:3, b in 0:3, c in 0:3]) for i in 0:n-2, j in 0:m-2, k in 0:q-2]
export fn line(x: int[n]) -> int[n] {
    var y = zeros(int, n)
    parallel for i in 8:n-8 { for a in 0:17 { y[i] += x[i + a - 8] * (a + 1) } }
    return y
}
export fn two(x: f64[n, m], z: i32[n, m]) -> f64[n, m] {
    var y = x
    parallel for i in 1:n-2, j in 1:m-2 {
        var s = 0.0
        for a in 0:4 { for b in 0:4 { s += x[i - 1 + a, j - 1 + b] * f64(z[i + 2 - a, j + 2 - b]) } }
        for a in 0:3 { s += x[i - 1 + a, j] + f64(z[i, j + a - 1]) }
        y[i, j] = s
    }
    return y
}
export fn cross(x: f64[n, m]) -> f64[n, m] {
    var y = x
    parallel for i in 1:n-1, j in 1:m-1 { y[i, j] = x[i-1, j] + x[i+1, j] + x[i, j-1] + x[i, j+1] - 4 * x[i, j] }
    return y
}
export fn own(x: f64[n, m]) -> f64[n, m] {
    var y = x
    parallel for i in 0:n, j in 0:m { for a in 0:20 { y[i, j] += y[i, j] * x[j % n, i % m] } }
    return y
}
export fn adjoint(x: f64[n, m]) -> f64[n, m] {
    var y = zeros(f64, n, m)
    parallel for i in 1:n-2, j in 1:m-2 {
        for a in 0:4 { for b in 0:4 { atomic y[i + a - 1, j + b - 1] += x[i, j] * f64(a + b) } }
    }
    return y
}
