# Orders, positions, integrals and products of arrays.

## Of an angle
fn radians(degrees: f64) -> f64 = degrees * (pi / 180)
fn degrees(radians: f64) -> f64 = radians * (180 / pi)

## Products of the first elements: x[0], x[0]*x[1], ...
fn cumprod(x: T[n]) -> T[n] = scan(fn(a, b) => a * b, x)

extern fn dsl_m_argsort(x: T[..]) -> int[found]
extern fn dsl_m_argselect(x: f64[n], k: int) -> int[3]
extern fn dsl_m_searchsorted(a: f64[n], v: f64[m]) -> int[m]

## Indices that sort x: x[argsort(x)] is sort(x) (equal elements keep their order, NaN last; runtime/sort.c)
fn argsort(x: T[n]) -> int[n] = dsl_m_argsort(x)
## Ascending order, NaN last; equal elements keep their order
fn sort(x: T[n]) -> T[n] = x[dsl_m_argsort(x)]

## Of a matrix: each row, or with axis=0 each column
fn argsort(x: T[n, m], axis: int = -1) -> int[n, m] {
    if _axis(axis, 2) == 0 { return [argsort(x[:, j]) for j in 0:m].T }
    return [argsort(x[i]) for i in 0:n]
}
fn sort(x: T[n, m], axis: int = -1) -> T[n, m] {
    let at = argsort(x, axis)
    if _axis(axis, 2) == 0 { return [x[at[i, j], j] for i in 0:n, j in 0:m] }
    return [x[i, at[i, j]] for i in 0:n, j in 0:m]
}
fn argsort(x: T[n], axis: int) -> int[n] { _check_axis(axis); return argsort(x) }
fn sort(x: T[n], axis: int) -> T[n] { _check_axis(axis); return sort(x) }

# Where another element stands than before it, in order; nan is no other than nan
fn _new_ones(s: T[n]) -> bool[n] = [i == 0 or (s[i] != s[max(i - 1, 0)] and (s[i] == s[i] or s[max(i - 1, 0)] == s[max(i - 1, 0)])) for i in 0:n]

## The different elements, in ascending order
fn unique(x: T[n]) -> T[found] {
    let s = sort(x)
    return s[_new_ones(s)]
}
## Of a matrix the different elements, or with axis=0 the different rows, in the order of their first, second, ... elements
fn unique(x: T[n, m]) -> T[found] = unique(flatten(x))
fn unique(x: T[n, m], axis: int) -> T[found, m] {
    assert axis == 0, "unique: axis 0, the rows"
    var order = arange(n)
    for j in 0:m { order = order[argsort(x[order, m - 1 - j])] }
    let s = x[order]
    return s[nonzero([i == 0 or any(s[i, j] != s[max(i - 1, 0), j] for j in 0:m) for i in 0:n])]
}
## The same, and how often each is there
fn unique_counts(x: T[n]) -> (T[found], int[found]) {
    let s = sort(x)
    let at = nonzero(_new_ones(s))
    let k = len(at)
    return (s[at], [(if i + 1 < k { at[min(i + 1, k - 1)] } else { n }) - at[i] for i in 0:k])
}

## What a part q of the elements, 0 to 1, is not above; linear between two of them
fn quantile(x: f64[n], q: f64) -> f64 {
    assert n > 0, "quantile of an empty array"
    assert q >= 0 and q <= 1, "a quantile is between 0 and 1"
    let at = q * (n - 1)
    let i = int(floor(at))
    let t = at - i
    let place = dsl_m_argselect(x, i)
    if place[2] >= 0 { return x[place[2]] }
    return if t == 0 { x[place[0]] } else { (1 - t) * x[place[0]] + t * x[place[1]] }
}

## The middle of the elements in order; of an even number the mean of the two in the middle
fn median(x: f64[n]) -> f64 {
    assert n > 0, "median of an empty array"
    return quantile(x, 0.5)
}

## Of all elements of a matrix, or of each column, axis=0, or of each row
fn quantile(x: f64[n, m], q: f64) -> f64 = quantile(flatten(x), q)
fn quantile(x: f64[n, m], q: f64, axis: int) -> f64[k] = [quantile(line, q) for line in _along(x, axis)]
fn median(x: f64[n, m]) -> f64 = median(flatten(x))
fn median(x: f64[n], axis: int) -> f64 { _check_axis(axis); return median(x) }
fn quantile(x: f64[n], q: f64, axis: int) -> f64 { _check_axis(axis); return quantile(x, q) }
fn median(x: f64[n, m], axis: int) -> f64[k] = [median(line) for line in _along(x, axis)]

## How many elements of a, in ascending order, are less than v: where v would stand
fn searchsorted(a: f64[n], v: f64) -> int {
    var lo = 0
    var hi = n
    while lo < hi {
        let mid = lo + (hi - lo) // 2
        if a[mid] < v { lo = mid + 1 } else { hi = mid }
    }
    return lo
}
fn searchsorted(a: f64[n], v: f64[m]) -> int[m] = dsl_m_searchsorted(a, v)

## The value at x of the lines through the points (xs[i], ys[i]), xs ascending; beyond the ends that of the end
fn interp(x: f64, xs: f64[n], ys: f64[n]) -> f64 {
    assert n > 0, "interp without points"
    let k = searchsorted(xs, x)
    if isnan(x) { return x }
    if k == n { return ys[n - 1] }
    if k == 0 or x == xs[k] { return ys[k] }
    let t = (x - xs[k - 1]) / (xs[k] - xs[k - 1])
    return ys[k - 1] + t * (ys[k] - ys[k - 1])
}
fn interp(x: f64[m], xs: f64[n], ys: f64[n]) -> f64[m] = [interp(x[i], xs, ys) for i in 0:m]

## The integral of y over steps h, or over the places x, by trapezoids
fn trapz(y: f64[n], h: f64) -> f64 = h * sum((y[i - 1] + y[i]) / 2 for i in 1:n)
fn trapz(y: f64[n], x: f64[n]) -> f64 = sum((x[i] - x[i - 1]) * (y[i - 1] + y[i]) / 2 for i in 1:n)

## The derivative of y over steps h: of neighbours on both sides, at the ends of one
fn gradient(y: f64[n], h: f64) -> f64[n] {
    assert n > 1, "a gradient needs two elements"
    return [(y[min(i + 1, n - 1)] - y[max(i - 1, 0)]) / (h * (min(i + 1, n - 1) - max(i - 1, 0))) for i in 0:n]
}

## How often each of 0, 1, ... k - 1 is in x, which has no others
fn bincount(x: int[n], k: int) -> int[k] {
    var count = zeros(int, k)
    for i in 0:n { count[x[i]] += 1 }
    return count
}

## Sums of products of elements whose places add up to k, for each k
fn convolve(a: T[n], b: T[m]) -> T[n + m - 1] {
    assert n > 0 and m > 0, "convolve of an empty array"
    return [T(sum(a[j] * b[k - j] for j in max(0, k - m + 1):min(n, k + 1))) for k in 0:n + m - 1]
}

## Each element of a times the whole of b
fn kron(a: T[n, m], b: T[p, q]) -> T[n * p, m * q] = [a[i // p, j // q] * b[i % p, j % q] for i in 0:n * p, j in 0:m * q]

## The vector product in space
fn cross(a: T[3], b: T[3]) -> T[3] = [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in 0:3]

## Whether a is b but for rtol of its size, or atol
fn isclose(a: f64, b: f64, rtol: f64 = 1e-5, atol: f64 = 1e-8) -> bool = a == b or (isfinite(b) and abs(a - b) <= atol + rtol * abs(b))
fn allclose(a: f64[n], b: f64[n], rtol: f64 = 1e-5, atol: f64 = 1e-8) -> bool = all(isclose(a[i], b[i], rtol, atol) for i in 0:n)
fn allclose(a: f64[n, m], b: f64[n, m], rtol: f64 = 1e-5, atol: f64 = 1e-8) -> bool =
    all(isclose(a[i, j], b[i, j], rtol, atol) for i in 0:n, j in 0:m)

## How far the gradient of f at x is from differences, relative to the greatest of these: below 1e-6 where both are right; differences are of points that are up to two steps, relative to x, on either side, so a kink of f that near needs a smaller step
fn check_grad(f: fn(f64[n]) -> f64, x: f64[n], step: f64 = 1e-3) -> f64 {
    let g = grad(f)(x)
    var d = zeros(f64, n)
    for k in 0:n {
        let h = step * max(1.0, abs(x[k]))
        let e = [if i == k { h } else { 0.0 } for i in 0:n]
        d[k] = (8 * (f(x + e) - f(x - e)) - (f(x + 2 * e) - f(x - 2 * e))) / (12 * h)
    }
    return if n == 0 { 0.0 } else { max(abs(g - d)) / max(max(abs(d)), 1e-300) }
}

# What jacobian(f) is where f, an array of so many axes, depends on an array of so many: forward, along each element
fn _jacobian_1_1(f: fn(T[n]) -> T[m], x: T[n]) -> T[m, n] {
    let m = len(f(x))
    var j = zeros(T, m, n)
    for k in 0:n { j[:, k] = jvp(f)(x, [T(i == k) for i in 0:n]).1 }
    return j
}
fn _jacobian_2_1(f: fn(T[n]) -> T[m, l], x: T[n]) -> T[m, l, n] {
    let (m, l) = shape(f(x))
    return reshape(_jacobian_1_1(fn(y) => reshape(f(y), m * l), x), m, l, n)
}
fn _jacobian_1_2(f: fn(T[n, p]) -> T[m], x: T[n, p]) -> T[m, n, p] {
    let m = len(f(x))
    return reshape(_jacobian_1_1(fn(y) => f(reshape(y, n, p)), reshape(x, n * p)), m, n, p)
}
fn _jacobian_2_2(f: fn(T[n, p]) -> T[m, l], x: T[n, p]) -> T[m, l, n, p] {
    let (m, l) = shape(f(x))
    return reshape(_jacobian_1_1(fn(y) => reshape(f(reshape(y, n, p)), m * l), reshape(x, n * p)), m, l, n, p)
}
