# A stencil of a stencil is one stencil, in one and two dimensions, of f32, of several arrays and with constants; where the first one
# is needed by others, too, or something else than sums of multiples of elements comes in, both stay.  Numbers agree.
# RUN: dslc --fp=reassoc --print-after=compose --emit=par %s -o %t 2>&1 | FileCheck %s
# RUN: dslc --print-after=compose --emit=par %s -o %t 2>&1 | FileCheck --check-prefix=STRICT %s
# RUN: dslc run %s > %t && dslc run --fp=reassoc %s > %t.2 && cmp %t %t.2
# CHECK-LABEL: func @twice
# CHECK: generate : f64[n - 4]
# CHECK: extract(%x, %i) {safe}
# CHECK-COUNT-3: extract(%x,
# CHECK: const {value = 4.0}
# CHECK: extract(%x,
# CHECK: const {value = 6.0}
# CHECK-NOT: extract
# CHECK-NOT: generate
# CHECK: return
# STRICT-LABEL: func @twice
# STRICT: generate : f64[n - 2]
# STRICT: generate : f64[n - 4]
fn second(x: f64[n]) -> f64[n - 2] = x[0:n - 2] - 2 * x[1:n - 1] + x[2:n]
export fn twice(x: f64[n]) -> f64[n - 4] = second(second(x))
# CHECK-LABEL: func @plane
# CHECK: generate : f32[n - 4, m - 4]
# CHECK-COUNT-13: extract(%x,
# CHECK-NOT: extract(
# CHECK: return
fn laplace(x: f32[n, m]) -> f32[n - 2, m - 2] =
    [x[i, j + 1] + x[i + 2, j + 1] + x[i + 1, j] + x[i + 1, j + 2] - f32(4) * x[i + 1, j + 1] for i in 0:n - 2, j in 0:m - 2]
export fn plane(x: f32[n, m]) -> f32[n - 4, m - 4] = laplace(laplace(x))
# CHECK-LABEL: func @two_arrays
# CHECK: generate : f64[n - 2]
# CHECK-NOT: generate
# CHECK: return
export fn two_arrays(x: f64[n], y: f64[n]) -> f64[n - 2] {
    let d = [0.5 * (x[i + 1] - x[i]) + y[i] + 3.0 for i in 0:n - 1]
    return [d[i + 1] - d[i] / 2 - y[i] for i in 0:n - 2]
}
# CHECK-LABEL: func @needed
# CHECK: generate : f64[n - 2]
# CHECK: generate : f64[n - 4]
# CHECK: return
export fn needed(x: f64[n]) -> (f64[n - 4], f64[n - 2]) {
    let y = second(x)
    return (second(y), y)
}
# CHECK-LABEL: func @other
# CHECK: generate : f64[n - 2]
# CHECK: generate : f64[n - 4]
# CHECK: return
export fn other(x: f64[n]) -> f64[n - 4] = second(second(x)^2 + x[1:n - 1])
# One whose parts are used again and again is not read to the end.
# CHECK-LABEL: func @doubled
# CHECK: return
fn many(a0: f64) -> f64 {
    let a1 = a0 + a0
    let a2 = a1 + a1
    let a3 = a2 + a2
    let a4 = a3 + a3
    let a5 = a4 + a4
    let a6 = a5 + a5
    let a7 = a6 + a6
    let a8 = a7 + a7
    let a9 = a8 + a8
    let a10 = a9 + a9
    let a11 = a10 + a10
    let a12 = a11 + a11
    let a13 = a12 + a12
    let a14 = a13 + a13
    let a15 = a14 + a14
    let a16 = a15 + a15
    let a17 = a16 + a16
    let a18 = a17 + a17
    let a19 = a18 + a18
    let a20 = a19 + a19
    let a21 = a20 + a20
    let a22 = a21 + a21
    let a23 = a22 + a22
    let a24 = a23 + a23
    let a25 = a24 + a24
    let a26 = a25 + a25
    let a27 = a26 + a26
    let a28 = a27 + a27
    let a29 = a28 + a28
    let a30 = a29 + a29
    let a31 = a30 + a30
    let a32 = a31 + a31
    let a33 = a32 + a32
    let a34 = a33 + a33
    let a35 = a34 + a34
    let a36 = a35 + a35
    let a37 = a36 + a36
    let a38 = a37 + a37
    let a39 = a38 + a38
    let a40 = a39 + a39
    return a40
}
export fn doubled(x: f64[n]) -> f64[n - 2] {
    let y = [x[i] + x[i + 1] for i in 0:n - 1]
    return [many(y[i] + y[i + 1]) for i in 0:n - 2]
}
let x = [f64(i * i * i % 17) for i in 0:20]
print(twice(x), two_arrays(x, 2 * x), needed(x).0)
print(plane([f32((i * 7 + j * 5) % 11) for i in 0:7, j in 0:8]))
