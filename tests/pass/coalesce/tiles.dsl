# A product by tiles in shared memory: the tiles are read through, the loops over tiles and in them are one loop, which ends
# with the rows, and with --fp=reassoc that is the library's product; its derivative is two of them.
# RUN: dslc --emit=par --verify-each %s -o - | FileCheck %s
# RUN: dslc --emit=par --fp=reassoc --verify-each %s -o - | FileCheck %s --check-prefix=DOT
# CHECK: func @product(
# CHECK: for(
# CHECK-NOT: if(
# CHECK-NOT: for(
# CHECK: store(
# CHECK: func @decay(
# CHECK: for(
# CHECK-NOT: for(
# CHECK: func @apart(
# CHECK-COUNT-2: for(
# DOT: func @product(
# DOT-NOT: for(
# DOT: dot(%a, %b)
# DOT-NEXT: return
# DOT: func @slope(
# DOT-COUNT-2: dot(
# DOT-NOT: for(
# DOT: main @main
const T = 16
kernel tiled(c: out f64[n, m], a: f64[n, k], b: f64[k, m]) {
    shared ta: f64[T, T]
    shared tb: f64[T, T]
    let i = block.y * T + thread.y
    let j = block.x * T + thread.x
    var s = 0.0
    for t in 0:ceildiv(k, T) {
        ta[thread.y, thread.x] = if i < n and t * T + thread.x < k { a[i, t * T + thread.x] } else { 0.0 }
        tb[thread.y, thread.x] = if t * T + thread.y < k and j < m { b[t * T + thread.y, j] } else { 0.0 }
        barrier
        for l in 0:T { s += ta[thread.y, l] * tb[l, thread.x] }
        barrier
    }
    if i < n and j < m { c[i, j] = s }
}
export fn product(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    launch tiled[(ceildiv(m, T), ceildiv(n, T)), (T, T)](c, a, b)
    return c
}
# Not a sum; the indices are counted in the other order
export fn decay(x: f64[n]) -> f64 {
    var s = 0.0
    for t in 0:ceildiv(n, 4) {
        for p in 0:4 {
            let q = p + 4 * t
            if q < n { s = 0.5 * s + x[q] }
        }
    }
    return s
}
export fn apart(x: f64[n]) -> f64 {
    var s = 0.0
    for t in 0:n // 4 {
        for p in 0:4 { s = s * 0.5 + x[t * 4 + p] * f64(p) }
    }
    return s
}
export fn slope(a: f64[n, k], b: f64[k, m]) -> f64[n, k] = grad(fn(x) => sum(product(x, b) ^ 2))(a)
print(0)
