# A stencil of a stencil is one stencil, in one and two dimensions, of f32, of several arrays and with constants; where the first one
# is needed by others, too, or something else than sums of multiples of elements comes in, both stay.  Numbers agree.
# RUN: dslc --fp=reassoc --print-after=compose --emit=par %s -o %t 2>&1 | FileCheck %s
# RUN: dslc --print-after=compose --emit=par %s -o %t 2>&1 | FileCheck --check-prefix=STRICT %s
# RUN: dslc run %s > %t && dslc run --fp=reassoc %s > %t.2 && cmp %t %t.2
# CHECK-LABEL: func @twice
# CHECK: generate : f64[n - 4]
# CHECK: [[A:%.*]] = extract(%x, %i) {safe}
# CHECK: const {value = 4.0}
# CHECK: const {value = 6.0}
# CHECK: const {value = 4.0}
# CHECK: extract(%x,
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
let x = [f64(i * i * i % 17) for i in 0:20]
print(twice(x), two_arrays(x, 2 * x), needed(x).0)
print(plane([f32((i * 7 + j * 5) % 11) for i in 0:7, j in 0:8]))
