# What runs over an array reads the array itself: no temporary for a name, a slice, a transpose, a row; one loop for a - b.
# RUN: dslc --emit=loops %s -o - | FileCheck %s
# CHECK-LABEL: func @sum_abs
# CHECK-COUNT-1: island
# CHECK: load(%a
# CHECK-NEXT: load(%b
# CHECK-NOT: island
# CHECK-LABEL: func @rows
# CHECK: empty : f64[n]
# CHECK-NOT: empty
# CHECK: parallel
# CHECK: load(%a.1, %row.at,
# CHECK-LABEL: func @columns
# CHECK: empty : f64[m]
# CHECK-NOT: empty
# CHECK: parallel
# CHECK-LABEL: func @tail
# CHECK: empty : f64[n - 1]
# CHECK-NOT: empty
# CHECK-LABEL: func @scaled
# CHECK: empty : f64[n, m]
# CHECK-NOT: empty
# CHECK: parallel(%{{.*}}, %{{.*}})
# CHECK-LABEL: func @chosen
# CHECK: empty : f64[n, k]
# CHECK-NOT: empty
# CHECK-LABEL: func @statements
# CHECK-NOT: empty
# CHECK: extract(%a
# CHECK-LABEL: func @in_kernel
# CHECK-NOT: alloc
export fn sum_abs(a: f64[n], b: f64[n]) -> f64 = sum(abs(v) for v in a - b)
export fn rows(a: f64[n, m]) -> f64[n] = [sum(row) for row in a]
export fn columns(a: f64[n, m]) -> f64[m] = [sum(column) for column in a.T]
export fn tail(xs: f64[n]) -> f64[n - 1] = [x * 2 for x in xs[1:]]
export fn scaled(a: f64[n, m]) -> f64[n, m] = [row * 2 for row in a]
export fn chosen(a: f64[n, m], ix: int[k]) -> f64[n, k] = [row[ix] for row in a]
export fn statements(xs: f64[n], a: f64[n, m]) -> f64 {
    var s = 0.0
    for x in xs { s = s * 0.5 + x }
    for x in xs[::-1] - 1 { s = s * 0.5 + x }
    for row in a {
        for v in row { s = s * 0.5 + v }
    }
    return s
}
kernel k(y: out f64[n], a: f64[m, p]) {
    let i = thread.x
    if i < n {
        var s = 0.0
        for row in a {
            for v in row[1:] * 2 { s = s * 0.5 + v }
            s += row[0]
        }
        y[i] = s
    }
}
export fn in_kernel(a: f64[n, m]) -> f64[n] {
    var y = zeros(f64, n)
    launch k[1, 32](y, a)
    return y
}
