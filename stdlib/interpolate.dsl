# Curves through points, values between the points of a grid, integrals of samples.

# Cubics through the points with these slopes: between xs[i] and xs[i + 1]; beyond the ends those next to them go on
fn _hermite(x: f64[m], xs: f64[n], ys: f64[n], slopes: f64[n]) -> f64[m] = [_hermite_at(v, xs, ys, slopes) for v in x]
fn _hermite_at(v: f64, xs: f64[n], ys: f64[n], slopes: f64[n]) -> f64 {
    let i = clamp(searchsorted(xs, v) - 1, 0, n - 2)
    let h = xs[i + 1] - xs[i]
    let s = (v - xs[i]) / h
    let change = ys[i + 1] - ys[i]
    let start = h * slopes[i] - change
    let close = change - h * slopes[i + 1]
    return ys[i] + s * (change + (1 - s) * (start + s * (close - start)))
}
fn _rising(xs: f64[n]) -> bool = n > 1 and all(i == 0 or xs[max(i - 1, 0)] < xs[i] for i in 0:n)

# The slope at an end from the first two chords d and e, of lengths h and k, that keeps the shape (Fritsch and Butland 1984)
fn _pchip_end(h: f64, k: f64, d: f64, e: f64) -> f64 {
    let slope = ((2 * h + k) * d - h * e) / (h + k)
    if sign(slope) != sign(d) { return 0 }
    return if sign(d) != sign(e) and abs(slope) > 3 * abs(d) { 3 * d } else { slope }
}
## A smooth curve through the points (xs[i], ys[i]), xs rising, that rises and falls only where they do (Fritsch and Carlson 1980)
fn pchip(x: f64[m], xs: f64[n], ys: f64[n]) -> f64[m] {
    assert _rising(xs), "pchip needs two points or more, with rising xs"
    let h = diff(xs)
    let d = diff(ys) / h
    var slopes = full(d[0], n)
    for i in 1:n - 1 {
        let (p, q) = (2 * h[i] + h[i - 1], h[i] + 2 * h[i - 1])
        slopes[i] = if d[i - 1] * d[i] <= 0 { 0.0 } else { (p + q) / (p / d[i - 1] + q / d[i]) }
    }
    if n > 2 {
        slopes[0] = _pchip_end(h[0], h[1], d[0], d[1])
        slopes[n - 1] = _pchip_end(h[n - 2], h[n - 3], d[n - 2], d[n - 3])
    }
    return _hermite(x, xs, ys, slopes)
}
## The same by the chords around each point, weighed so that a jump is not felt from afar (Akima 1970)
fn akima(x: f64[m], xs: f64[n], ys: f64[n]) -> f64[m] {
    assert _rising(xs), "akima needs two points or more, with rising xs"
    let d = diff(ys) / diff(xs)
    if n == 2 { return _hermite(x, xs, ys, full(d[0], n)) }
    var e = zeros(f64, n + 3)
    e[2:n + 1] = d
    e[1] = 2 * e[2] - e[3]
    e[0] = 2 * e[1] - e[2]
    e[n + 1] = 2 * e[n] - e[n - 1]
    e[n + 2] = 2 * e[n + 1] - e[n]
    let weight = abs(diff(e))
    let most = max([weight[i + 2] + weight[i] for i in 0:n])
    let slopes = [if weight[i + 2] + weight[i] > 1e-9 * most { (weight[i + 2] * e[i + 1] + weight[i] * e[i + 2]) / (weight[i + 2] + weight[i]) }
                  else { (e[i + 1] + e[i + 2]) / 2 } for i in 0:n]
    return _hermite(x, xs, ys, slopes)
}

# The slopes of the twice differentiable curve of cubics; of its ends the rows of the system are told
fn _cubic_slopes(h: f64[k], d: f64[k], first: (f64, f64, f64), last: (f64, f64, f64)) -> f64[k + 1] {
    let n = k + 1
    var diagonal = full(first.0, n)
    var above = full(first.1, k)
    var below = full(last.1, k)
    var right = full(first.2, n)
    for i in 1:k {
        diagonal[i] = 2 * (h[i - 1] + h[i])
        below[i - 1] = h[i]
        above[i] = h[i - 1]
        right[i] = 3 * (h[i] * d[i - 1] + h[i - 1] * d[i])
    }
    diagonal[k] = last.0
    right[k] = last.2
    return solve_tridiagonal(below, diagonal, above, right)
}
# The row of an end where the first three points lie on one cubic
fn _not_a_knot(h: f64, k: f64, d: f64, e: f64) -> (f64, f64, f64) = (k, h + k, ((3 * h + 2 * k) * k * d + h * h * e) / (h + k))

## The twice differentiable curve of cubics through the points (xs[i], ys[i]), xs rising, at x; where two cubics would meet first
## and last there is one ("not a knot", as in SciPy's CubicSpline)
fn cubic(x: f64[m], xs: f64[n], ys: f64[n]) -> f64[m] {
    assert _rising(xs), "cubic needs two points or more, with rising xs"
    let h = diff(xs)
    let d = diff(ys) / h
    if n == 2 { return _hermite(x, xs, ys, full(d[0], n)) }
    let last = max(n - 2, 1)
    if n == 3 {
        let bend = (d[last] - d[0]) / (h[0] + h[last])
        return _hermite(x, xs, ys, [d[0] - h[0] * bend, d[0] + h[0] * bend, d[0] + (h[0] + 2 * h[last]) * bend][0:n])
    }
    return _hermite(x, xs, ys, _cubic_slopes(h, d, _not_a_knot(h[0], h[1], d[0], d[1]), _not_a_knot(h[last], h[last - 1], d[last], d[last - 1]))[0:n])
}
## The same with these slopes at the ends
fn cubic(x: f64[m], xs: f64[n], ys: f64[n], first: f64, last: f64) -> f64[m] {
    assert _rising(xs), "cubic needs two points or more, with rising xs"
    let h = diff(xs)
    return _hermite(x, xs, ys, _cubic_slopes(h, diff(ys) / h, (1.0, 0.0, first), (1.0, 0.0, last))[0:n])
}
## The same without curvature at the ends, where it goes on as a line
fn spline(x: f64[m], xs: f64[n], ys: f64[n]) -> f64[m] {
    assert _rising(xs), "spline needs two points or more, with rising xs"
    let h = diff(xs)
    let d = diff(ys) / h
    let slopes = _cubic_slopes(h, d, (2.0, 1.0, 3 * d[0]), (2.0, 1.0, 3 * d[n - 2]))[0:n]
    return [_hermite_at(clamp(v, xs[0], xs[n - 1]), xs, ys, slopes) +
            (if v < xs[0] { (v - xs[0]) * slopes[0] } else if v > xs[n - 1] { (v - xs[n - 1]) * slopes[n - 1] } else { 0.0 }) for v in x]
}

# Where v lies among rising xs: the place before it, and how far it is to the next, from 0 to 1
fn _between(v: f64, xs: f64[n]) -> (int, f64) {
    let i = clamp(searchsorted(xs, v) - 1, 0, max(n - 2, 0))
    let next = min(i + 1, n - 1)
    return (i, if next > i { clamp((v - xs[i]) / (xs[next] - xs[i]), 0, 1) } else { 0.0 })
}
fn _on_grid(z: f64[n, m], a: (int, f64), b: (int, f64)) -> f64 {
    let (i, j) = (min(a.0 + 1, n - 1), min(b.0 + 1, m - 1))
    let low = z[a.0, b.0] + b.1 * (z[a.0, j] - z[a.0, b.0])
    let high = z[i, b.0] + b.1 * (z[i, j] - z[i, b.0])
    return low + a.1 * (high - low)
}
## Between the values z[i, j] at xs[i], ys[j] of a grid, at points (x[k], y[k]): linear along each axis; the border goes on outside
fn interp(x: f64[p], y: f64[p], xs: f64[n], ys: f64[m], z: f64[n, m]) -> f64[p] {
    assert n > 0 and m > 0 and (n == 1 or _rising(xs)) and (m == 1 or _rising(ys)), "interp: the places of a grid rise"
    return [_on_grid(z, _between(x[k], xs), _between(y[k], ys)) for k in 0:p]
}
## The same in space
fn interp(x: f64[p], y: f64[p], w: f64[p], xs: f64[n], ys: f64[m], ws: f64[l], z: f64[n, m, l]) -> f64[p] {
    assert n > 0 and m > 0 and l > 0 and (n == 1 or _rising(xs)) and (m == 1 or _rising(ys)) and (l == 1 or _rising(ws)),
           "interp: the places of a grid rise"
    return [_in_grid(z, _between(x[k], xs), _between(y[k], ys), _between(w[k], ws)) for k in 0:p]
}
fn _in_grid(z: f64[n, m, l], a: (int, f64), b: (int, f64), c: (int, f64)) -> f64 {
    let i = min(a.0 + 1, n - 1)
    let low = _on_grid(z[a.0], b, c)
    return low + a.1 * (_on_grid(z[i], b, c) - low)
}

## The integral of samples that are h apart, by parabolas; of an even number of samples the last part by the cubic of the last four
fn simpson(y: f64[n], h: f64) -> f64 {
    assert n > 0, "simpson: no samples"
    if n < 3 { return if n == 2 { h * (y[0] + y[n - 1]) / 2 } else { 0.0 } }
    let odd = if n % 2 == 1 { n } else { n - 1 }
    let whole = h / 3 * sum(y[2 * i] + 4 * y[2 * i + 1] + y[2 * i + 2] for i in 0:odd // 2)
    return if n % 2 == 1 { whole } else { whole + h / 12 * (5 * y[n - 1] + 8 * y[n - 2] - y[n - 3]) }
}
## The integrals from the first sample to each, by straight lines
fn cumtrapz(y: f64[n], h: f64) -> f64[n] = cumsum([if i == 0 { 0.0 } else { h * (y[max(i - 1, 0)] + y[i]) / 2 } for i in 0:n])
fn cumtrapz(y: f64[n], x: f64[n]) -> f64[n] =
    cumsum([if i == 0 { 0.0 } else { (x[i] - x[max(i - 1, 0)]) * (y[max(i - 1, 0)] + y[i]) / 2 } for i in 0:n])

## Places in (-1, 1) and weights of Gauss's rule with n of them, exact up to degree 2 n - 1: by Newton's method from Tricomi's places
fn legendre_rule(n: int) -> (f64[n], f64[n]) {
    assert n > 0, f"a rule of {n} points"
    var at = zeros(f64, n)
    var weight = zeros(f64, n)
    for i in 0:n {
        var x = -cos(pi * (i + 0.75) / (n + 0.5))
        var slope = 1.0
        for turn in 0:8 {
            var (p, before) = (x, 1.0)
            for k in 2:n + 1 {
                let next = ((2 * k - 1) * x * p - (k - 1) * before) / k
                before = p
                p = next
            }
            slope = n * (x * p - before) / (x * x - 1)
            x -= p / slope
        }
        at[i] = x
        weight[i] = 2 / ((1 - x * x) * slope * slope)
    }
    return (at, weight)
}
## The integral of f from a to b by Gauss's rule with n points: quick where f is smooth
fn gauss(f: fn(f64) -> f64, a: f64, b: f64, n: int = 16) -> f64 {
    let (at, weight) = legendre_rule(n)
    var total = 0.0
    for i in 0:n { total += weight[i] * f((a + b) / 2 + (b - a) / 2 * at[i]) }
    return (b - a) / 2 * total
}
## The integral of f(x, y) over the rectangle from a to b and from c to d, by Gauss's rule along both
fn gauss2(f: fn(f64, f64) -> f64, a: f64, b: f64, c: f64, d: f64, n: int = 16) -> f64 {
    let (at, weight) = legendre_rule(n)
    var total = 0.0
    for i in 0:n {
        for j in 0:n { total += weight[i] * weight[j] * f((a + b) / 2 + (b - a) / 2 * at[i], (c + d) / 2 + (d - c) / 2 * at[j]) }
    }
    return (b - a) * (d - c) / 4 * total
}
