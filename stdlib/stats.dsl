# Variance, norms, positions of extremes.

## Variance with divisor n - ddof; the only axis is 0
fn variance(x: f64[n], ddof: int = 0, axis: int = 0) -> f64 {
    _check_axis(axis)
    let m = mean(x)
    return sum((x[i] - m) * (x[i] - m) for i in 0:n) / (n - ddof)
}
fn variance(x: f64[n, m]) -> f64 = variance(flatten(x))
fn variance(x: f64[n, m, k]) -> f64 = variance(reshape(x, n * m * k))
# The square root of what is never negative, with derivative 0 at 0
fn _root(v: f64) -> f64 = if v == 0 { stop_gradient(v) } else { sqrt(v) }
fn _root(v: f32) -> f32 = if v == 0 { stop_gradient(v) } else { sqrt(v) }

## Standard deviation: the root of the variance
fn std(x: f64[n], ddof: int = 0, axis: int = 0) -> f64 = _root(variance(x, ddof, axis))
fn std(x: f64[n, m]) -> f64 = _root(variance(x))
fn std(x: f64[n, m, k]) -> f64 = _root(variance(x))

## Euclidean norm
fn norm(x: f64[n]) -> f64 = _root(sum(x[i] * x[i] for i in 0:n))
fn norm(x: f32[n]) -> f32 = _root(sum(x[i] * x[i] for i in 0:n))
## Frobenius norm
fn norm(x: f64[n, m]) -> f64 = _root(sum(x[i, j] * x[i, j] for i in 0:n, j in 0:m))

# What lies along an axis of a matrix, as rows
fn _along(x: T[n, m], axis: int) -> T[p, q] {
    let columns = _axis(axis, 2) == 0
    let (p, q) = if columns { (m, n) } else { (n, m) }
    return [if columns { x[j, i] } else { x[i, j] } for i in 0:p, j in 0:q]
}
## Of each column, axis=0, or of each row
fn variance(x: f64[n, m], axis: int, ddof: int = 0) -> f64[k] = [variance(line, ddof) for line in _along(x, axis)]
fn std(x: f64[n, m], axis: int, ddof: int = 0) -> f64[k] = [std(line, ddof) for line in _along(x, axis)]

## Covariance of two samples, with divisor n - ddof, and how much they go together, -1 to 1 (Pearson)
fn cov(x: f64[n], y: f64[n], ddof: int = 1) -> f64 {
    let (a, b) = (mean(x), mean(y))
    return sum((x[i] - a) * (y[i] - b) for i in 0:n) / (n - ddof)
}
fn corrcoef(x: f64[n], y: f64[n]) -> f64 = cov(x, y, 0) / (std(x) * std(y))
## Of each row of a matrix, which are the variables, with each other: columns are samples, so of a table cov(a.T)
fn cov(a: f64[n, m], ddof: int = 1) -> f64[n, n] {
    let d = a - mean(a, axis=1, keepdims=true)
    return d @ d.T / (m - ddof)
}
fn corrcoef(a: f64[n, m]) -> f64[n, n] {
    let c = cov(a, 0)
    return [if i == j { 1.0 } else { c[i, j] / sqrt(c[i, i] * c[j, j]) } for i in 0:n, j in 0:n]
}

## Place of the first element that equals v; -1 when none does
fn place(x: T[n], v: T) -> int {
    for i in 0:n {
        if x[i] == v { return i }
    }
    return -1
}

## Place of the first greatest element; of the first NaN, when there is one; of bools of the first that is true, or 0
fn argmax(x: bool[n]) -> int {
    assert n > 0, "argmax of an empty array"
    return max(place(x, true), 0)
}
fn argmax(x: T[n]) -> int {
    assert n > 0, "argmax of an empty array"
    return reduce(fn(a, b) => if b.1 >= 0 and (a.1 < 0 or (b.0 != b.0 and (a.0 == a.0 or b.1 < a.1)) or
                                  (a.0 == a.0 and (b.0 > a.0 or (b.0 == a.0 and b.1 < a.1)))) { b } else { a },
                  (T(0), -1), (x[i], i) for i in 0:n).1
}

## Place of the first least element; of the first NaN, when there is one; of bools of the first that is false, or 0
fn argmin(x: bool[n]) -> int {
    assert n > 0, "argmin of an empty array"
    return max(place(x, false), 0)
}
fn argmin(x: T[n]) -> int {
    assert n > 0, "argmin of an empty array"
    return reduce(fn(a, b) => if b.1 >= 0 and (a.1 < 0 or (b.0 != b.0 and (a.0 == a.0 or b.1 < a.1)) or
                                  (a.0 == a.0 and (b.0 < a.0 or (b.0 == a.0 and b.1 < a.1)))) { b } else { a },
                  (T(0), -1), (x[i], i) for i in 0:n).1
}

## Of a matrix counted row by row: unravel_index(argmax(a), shape(a)); in each column, axis=0, or in each row
fn argmax(x: T[n, m]) -> int = argmax(flatten(x))
fn argmin(x: T[n, m]) -> int = argmin(flatten(x))
fn argmax(x: T[n, m], axis: int) -> int[k] = [argmax(line) for line in _along(x, axis)]
fn argmin(x: T[n, m], axis: int) -> int[k] = [argmin(line) for line in _along(x, axis)]
fn argmax(x: T[n], axis: int) -> int { _check_axis(axis); return argmax(x) }
fn argmin(x: T[n], axis: int) -> int { _check_axis(axis); return argmin(x) }

## Numbers of elements in nbins equal intervals between lo and hi (hi falls in the last)
fn histogram(x: f64[n], lo: f64, hi: f64, nbins: int) -> int[nbins] {
    assert nbins > 0, f"a histogram needs at least one bin, here are {nbins}"
    assert lo < hi, f"histogram(x, lo, hi, bins) needs lo < hi, here they are {lo} and {hi}"
    var count = zeros(int, nbins)
    for i in 0:n {
        if x[i] >= lo and x[i] <= hi {
            let b = min(int(floor((x[i] - lo) / (hi - lo) * nbins)), nbins - 1)
            count[b] += 1
        }
    }
    return count
}

## log(sum(exp(x))) without overflow
fn logsumexp(x: f64[n]) -> f64 {
    let m = max(x)
    let above = log(sum(exp(x[i] - m) for i in 0:n))
    return if isinf(m) { m } else { m + above }
}
fn logsumexp(x: f32[n]) -> f32 {
    let m = max(x)
    let above = log(sum(exp(x[i] - m) for i in 0:n))
    return if isinf(m) { m } else { m + above }
}

## exp(x) divided by its sum, without overflow
fn softmax(x: f64[n]) -> f64[n] {
    let m = max(x)
    let e = [exp(x[i] - m) for i in 0:n]
    let s = sum(e)
    return [e[i] / s for i in 0:n]
}
fn softmax(x: f32[n]) -> f32[n] {
    let m = max(x)
    let e = [exp(x[i] - m) for i in 0:n]
    let s = sum(e)
    return [e[i] / s for i in 0:n]
}

## Numbers of points x[i], y[i] in a table of equal intervals, those of x down, those of y to the right, from the least to the greatest values, or
## between ends (lo, hi) of x and of y; points outside, or not finite, are not counted
fn histogram2d(x: f64[n], y: f64[n], bins: int) -> int[bins, bins] = histogram2d(x, y, (min(x), max(x)), (min(y), max(y)), bins, bins)
fn histogram2d(x: f64[n], y: f64[n], across: (f64, f64), up: (f64, f64), rows: int, columns: int) -> int[rows, columns] {
    assert rows > 0 and columns > 0, f"a histogram needs at least one bin, here are {rows} by {columns}"
    assert across.0 < across.1 and up.0 < up.1, f"histogram2d needs ends that rise, here they are {across} and {up}"
    var count = zeros(int, rows, columns)
    for k in 0:n {
        if x[k] >= across.0 and x[k] <= across.1 and y[k] >= up.0 and y[k] <= up.1 {
            let i = min(int(floor((x[k] - across.0) / (across.1 - across.0) * rows)), rows - 1)
            let j = min(int(floor((y[k] - up.0) / (up.1 - up.0) * columns)), columns - 1)
            count[i, j] += 1
        }
    }
    return count
}
