# Places that loops choose are in the array: what they begin with is, and all that a turn may choose instead.  In
# branches, two loops, a `while`; counted from behind.  Not what begins out of bounds, nor what is counted on beside it.
# RUN: dslc check --explain-checks %s 2>&1 | FileCheck %s
# CHECK-COUNT-11: extract: proved
# CHECK-NEXT: extract: checked when the program runs (the index depends on data)
# CHECK-NEXT: extract: proved
# CHECK-NEXT: extract: checked when the program runs (the index depends on data)
fn greatest(x: f64[n]) -> f64 {
    assert n > 0
    var p = 0
    for i in 1:n { if x[i] > x[p] { p = i } }
    return x[p] + x[n - 1 - p]
}
fn saddle(x: f64[n, m]) -> f64 {
    assert n > 0 and m > 0
    var p = 0
    var q = m - 1
    for i in 0:n { for j in 0:m { if x[i, j] > x[p, j] and x[i, j] < x[i, q] { p = i } else if x[p, j] < 0 { q = j } } }
    return x[p, q]
}
fn last(x: f64[n], tol: f64) -> f64 {
    assert n > 1
    var (p, left) = (1, 1.0)
    while left > tol {
        p = if left > 0.5 { 0 } else { p }
        left = 0.5 * left + 0.01 * x[p]
    }
    return x[p]
}
fn beyond(x: f64[n]) -> f64 {
    assert n > 0
    var p = n
    for i in 1:n { if x[i] > 0 { p = i } }
    return x[p]
}
fn counted(x: f64[n]) -> f64 {
    assert n > 0
    var p = 0
    for i in 1:n { if x[i] > 0 { p = i } else { p += 2 } }
    return x[p]
}
print(greatest([1.0, 3.0]), saddle([[1.0, 2.0], [0.5, 3.0]]), last([1.0, 2.0], 0.1), beyond([1.0, 2.0]), counted([1.0, 2.0]))
