# Arrays: making them, looking at them, joining and turning them.

## n numbers from a to b, both included, with the bits of NumPy's
fn linspace(a: f64, b: f64, n: int) -> f64[n] {
    let last = max(n - 1, 1)
    let step = (b - a) / last
    return [if i == last { b } else if step == 0 { a + i / last * (b - a) } else { a + i * step } for i in 0:n]
}

## The ints 0, 1, ... n - 1
fn arange(n: int) -> int[n] = [i for i in 0:n]
## The ints a, a + 1, ... b - 1; none when b <= a. (What a size is made of is not negative, so a and b are in none.)
fn arange(a: int, b: int) -> int[found] { let n = max(b - a, 0); return [a + i for i in 0:n] }
## a, a + step, ... before b, which it counts up to, or down with a negative step
fn arange(a: int, b: int, step: int) -> int[found] {
    assert step != 0, "arange with step 0"
    let n = max(ceildiv(b - a, step), 0)
    return [a + i * step for i in 0:n]
}
## Powers of 10: n numbers from 10^a to 10^b, both included
fn logspace(a: f64, b: f64, n: int) -> f64[n] = 10.0^linspace(a, b, n)

## The places where the mask holds, in order; x[nonzero(x > 0)] are the elements that are positive
fn nonzero(mask: bool[n]) -> int[found] {
    let parts = ceildiv(n, 4096)
    let counts = [sum(int(mask[i]) for i in 4096 * p:min(n, 4096 * p + 4096)) for p in 0:parts]
    let ends = cumsum(counts)
    let count = if parts > 0 { ends[parts - 1] } else { 0 }
    var at = zeros(int, count)
    parallel for p in 0:parts {
        var k = ends[p] - counts[p]
        for i in 4096 * p:min(n, 4096 * p + 4096) {
            if k < ends[p] { at[k] = i }
            k += int(mask[i])
        }
    }
    return at
}

# What x[m], x[m] = v, x[m] += v and x[at] += v mean: frontend/check_mask.c
fn _places(mask: bool[n]) -> int[found] = nonzero(mask)
# Elements, or rows, for which a condition holds: frontend/check_filter.c
fn _chosen(x: T[n], keep: fn(T) -> bool) -> T[found] = x[nonzero([keep(v) for v in x])]
fn _chosen(x: T[n, m], keep: fn(T[m]) -> bool) -> T[found, m] = x[nonzero([keep(v) for v in x])]
fn _chosen(x: T[n, m, l], keep: fn(T[m, l]) -> bool) -> T[found, m, l] = x[nonzero([keep(v) for v in x])]
fn _masked(x: T[n], mask: bool[n]) -> T[found] = x[nonzero(mask)]
fn _masked(x: T[n, m], mask: bool[n, m]) -> T[found] = reshape(x, n * m)[nonzero(reshape(mask, n * m))]
fn _masked(x: T[n, m, l], mask: bool[n, m, l]) -> T[found] = reshape(x, n * m * l)[nonzero(reshape(mask, n * m * l))]

fn _put(x: T[..], mask: bool[..], v: T) -> T[..] = where(mask, v, x)
fn _put(x: T[n], mask: bool[n], v: T[k]) -> T[n] {
    let at = nonzero(mask)
    assert len(at) == k, f"the mask chooses {len(at)} elements, and {k} values are given"
    var y = x
    for i in 0:k { y[at[i]] = v[i] }
    return y
}
fn _put(x: T[n, m], mask: bool[n, m], v: T[k]) -> T[n, m] = reshape(_put(reshape(x, n * m), reshape(mask, n * m), v), n, m)

fn _update(f: fn(T, T) -> T, x: T[n], mask: bool[n], v: T) -> T[n] = [if mask[i] { f(x[i], v) } else { x[i] } for i in 0:n]
fn _update(f: fn(T, T) -> T, x: T[n, m], mask: bool[n, m], v: T) -> T[n, m] = [if mask[i, j] { f(x[i, j], v) } else { x[i, j] } for i in 0:n, j in 0:m]
fn _update(f: fn(T, T) -> T, x: T[n], mask: bool[n], v: T[k]) -> T[n] = _update_at(f, x, nonzero(mask), v)
fn _update(f: fn(T, T) -> T, x: T[n, m], mask: bool[n, m], v: T[k]) -> T[n, m] = reshape(_update(f, reshape(x, n * m), reshape(mask, n * m), v), n, m)

fn _put_rows(x: T[n, m], mask: bool[n], v: T) -> T[n, m] = [if mask[i] { v } else { x[i, j] } for i in 0:n, j in 0:m]
fn _put_columns(x: T[n, m], mask: bool[m], v: T) -> T[n, m] = [if mask[j] { v } else { x[i, j] } for i in 0:n, j in 0:m]
fn _update_rows(f: fn(T, T) -> T, x: T[n, m], mask: bool[n], v: T) -> T[n, m] = [if mask[i] { f(x[i, j], v) } else { x[i, j] } for i in 0:n, j in 0:m]
fn _update_columns(f: fn(T, T) -> T, x: T[n, m], mask: bool[m], v: T) -> T[n, m] = [if mask[j] { f(x[i, j], v) } else { x[i, j] } for i in 0:n, j in 0:m]

fn _update_at(f: fn(T, T) -> T, x: T[n], at: int[k], v: T) -> T[n] {
    var y = x
    for i in 0:k { y[at[i]] = f(y[at[i]], v) }
    return y
}
fn _update_at(f: fn(T, T) -> T, x: T[n], at: int[l], v: T[k]) -> T[n] {
    assert l == k, f"{l} elements are updated, and {k} values are given"
    var y = x
    for i in 0:k { y[at[i]] = f(y[at[i]], v[i]) }
    return y
}

## Unit matrix
fn eye(n: int) -> f64[n, n] = [if i == j { 1.0 } else { 0.0 } for i in 0:n, j in 0:n]
## n rows and m columns, with ones on the diagonal
fn eye(n: int, m: int) -> f64[n, m] = [if i == j { 1.0 } else { 0.0 } for i in 0:n, j in 0:m]

## Square matrix with v on the diagonal
fn diag(v: T[n]) -> T[n, n] = [if i == j { v[i] } else { T(0) } for i in 0:n, j in 0:n]

## Square matrix with v on a diagonal: the k-th above the main one, below where k is negative
fn diag(v: T[n], k: int) -> T[size, size] {
    let size = n + (if k < 0 { -k } else { k })
    return [if j - i == k { v[min(i, j)] } else { T(0) } for i in 0:size, j in 0:size]
}
## The k-th diagonal above the main one, or below it where k is negative
fn diag(a: T[n, m], k: int) -> T[count] {
    let down = if k < 0 { -k } else { 0 }
    let right = if k > 0 { k } else { 0 }
    let rows = n - down
    let columns = m - right
    let least = if rows < columns { rows } else { columns }
    let count = if least < 0 { 0 } else { least }
    return [a[i + down, i + right] for i in 0:count]
}
## The diagonal of a matrix
fn diag(a: T[n, m]) -> T[min(n, m)] = [a[i, i] for i in 0:min(n, m)]

## Sum of the diagonal
fn trace(a: T[n, n]) -> T = sum(a[i, i] for i in 0:n)

## The elements in opposite order
fn reverse(x: T[n]) -> T[n] = [x[n - 1 - i] for i in 0:n]

## Elements moved up by k places, around the end
fn roll(x: T[n], k: int) -> T[n] = [x[(i - k) % n] for i in 0:n]
## Rows moved by k0 and columns by k1, around the ends
fn roll(x: T[n, m], k0: int, k1: int) -> T[n, m] = [x[(i - k0) % n, (j - k1) % m] for i in 0:n, j in 0:m]
## So too along three axes
fn roll(x: T[n, m, l], k0: int, k1: int, k2: int) -> T[n, m, l] =
    [x[(i - k0) % n, (j - k1) % m, (k - k2) % l] for i in 0:n, j in 0:m, k in 0:l]

## a, then b
fn concat(a: T[n], b: T[m]) -> T[n + m] {
    var r = zeros(T, n + m)
    r[0:n] = a
    r[n:n + m] = b
    return r
}

## a above b
fn vstack(a: T[n, k], b: T[m, k]) -> T[n + m, k] {
    var r = zeros(T, n + m, k)
    r[0:n, :] = a
    r[n:n + m, :] = b
    return r
}

## a beside b
fn hstack(a: T[k, n], b: T[k, m]) -> T[k, n + m] {
    var r = zeros(T, k, n + m)
    r[:, 0:n] = a
    r[:, n:n + m] = b
    return r
}

## Rank-1 product: a[i] * b[j]
fn outer(a: T[n], b: T[m]) -> T[n, m] = [a[i] * b[j] for i in 0:n, j in 0:m]

## f at each element
fn map(f: fn(T) -> U, x: T[n]) -> U[n] = [f(x[i]) for i in 0:n]
fn map(f: fn(T) -> U, x: T[n, m]) -> U[n, m] = [f(x[i, j]) for i in 0:n, j in 0:m]

## f at each pair
fn map2(f: fn(T, U) -> V, x: T[n], y: U[n]) -> V[n] = [f(x[i], y[i]) for i in 0:n]

## a where below lo becomes lo, above hi becomes hi; lo is not above hi, else everything is hi
fn clamp(x: T, lo: T, hi: T) -> T = min(max(x, lo), hi)

## x between two values, in order
fn clip(x: T[n], lo: T, hi: T) -> T[n] = [min(max(x[i], lo), hi) for i in 0:n]
fn clip(x: T[n, m], lo: T, hi: T) -> T[n, m] = [min(max(x[i, j], lo), hi) for i in 0:n, j in 0:m]
fn clip(x: T[n, m, k], lo: T, hi: T) -> T[n, m, k] = [min(max(x[i, j, l], lo), hi) for i in 0:n, j in 0:m, l in 0:k]

## Differences of neighbours
fn diff(x: T[n]) -> T[n - 1] = [x[i + 1] - x[i] for i in 0:n - 1]

## x at equal steps of its axes: two coordinate arrays as from NumPy's meshgrid
fn meshgrid(x: f64[n], y: f64[m]) -> (f64[m, n], f64[m, n]) {
    return ([x[j] for i in 0:m, j in 0:n], [y[i] for i in 0:m, j in 0:n])
}

# The only axis of a vector
fn _check_axis(axis: int) { assert axis == 0 or axis == -1, "the only axis of a vector is 0" }
# An axis of an array with so many, counted from the front
fn _axis(axis: int, rank: int) -> int {
    assert axis >= -rank and axis < rank, f"there is no axis {axis} of an array with {rank} axes"
    return axis % rank
}

## x again and again: k times, or p times downwards and q times to the right
fn tile(x: T[n], k: int) -> T[n * k] = [x[i % n] for i in 0:n * k]
fn tile(x: T[n, m], p: int, q: int) -> T[n * p, m * q] = [x[i % n, j % m] for i in 0:n * p, j in 0:m * q]
## Each element, or row, k times, or each element as often as it says; of a matrix axis=1 takes columns
fn repeat(x: T[n], k: int) -> T[n * k] = [x[i // k] for i in 0:n * k]
fn repeat(x: T[n], k: int[n]) -> T[found] {
    assert all(k >= 0), "repeat: numbers of times below 0"
    var at = zeros(int, sum(k))
    var next = 0
    for i in 0:n {
        for turn in 0:k[i] {
            at[next] = i
            next += 1
        }
    }
    return x[at]
}
fn repeat(x: T[n, m], k: int, axis: int = 0) -> T[p, q] {
    let (down, right) = if _axis(axis, 2) == 0 { (k, 1) } else { (1, k) }
    return [x[i // down, j // right] for i in 0:n * down, j in 0:m * right]
}
## With so many elements of value v before and behind; of a matrix, k on each side
fn pad(x: T[n], before: int, after: int, v: T) -> T[n + before + after] {
    var y = full(v, n + before + after)
    y[before:before + n] = x
    return y
}
fn pad(x: T[n], before: int, after: int) -> T[n + before + after] = pad(x, before, after, T(0))
fn pad(x: T[n], k: int) -> T[n + 2 * k] = pad(x, k, k, T(0))
fn pad(x: T[n, m], k: int, v: T) -> T[n + 2 * k, m + 2 * k] {
    var y = full(v, n + 2 * k, m + 2 * k)
    y[k:k + n, k:k + m] = x
    return y
}
fn pad(x: T[n, m], k: int) -> T[n + 2 * k, m + 2 * k] = pad(x, k, T(0))

# cumsum(x, axis): frontend/check_reduce.c
fn _cumsum(x: T[n, m], axis: int) -> T[n, m] {
    var y = x
    if axis == 0 {
        for i in 1:max(n, 1) { y[i] = y[i - 1] + x[i] }
    } else {
        for j in 1:max(m, 1) { y[:, j] = y[:, j - 1] + x[:, j] }
    }
    return y
}
# On machines of whole arrays all lines at once
fn _cumsum_arrays(x: T[n, m], axis: int) -> T[n, m] {
    if axis == 0 { return [cumsum(x[:, j]) for j in 0:m].T }
    return [cumsum(x[i]) for i in 0:n]
}
fn _cumsum(x: T[n, m, l], axis: int) -> T[n, m, l] {
    if axis == 0 { return reshape(_cumsum(reshape(x, n, m * l), 0), n, m, l) }
    if axis == 2 { return reshape(_cumsum(reshape(x, n * m, l), 1), n, m, l) }
    return [_cumsum(x[i], 0) for i in 0:n]
}
fn _cumsum_arrays(x: T[n, m, l], axis: int) -> T[n, m, l] {
    if axis == 0 { return reshape(_cumsum(reshape(x, n, m * l), 0), n, m, l) }
    if axis == 2 { return reshape(_cumsum(reshape(x, n * m, l), 1), n, m, l) }
    return [_cumsum(x[i], 0) for i in 0:n]
}

## Three and four of them
fn concat(a: T[n], b: T[m], c: T[p]) -> T[n + m + p] = concat(concat(a, b), c)
fn concat(a: T[n], b: T[m], c: T[p], d: T[q]) -> T[n + m + p + q] = concat(concat(a, b), concat(c, d))
fn vstack(a: T[n, k], b: T[m, k], c: T[p, k]) -> T[n + m + p, k] = vstack(vstack(a, b), c)
fn vstack(a: T[n, k], b: T[m, k], c: T[p, k], d: T[q, k]) -> T[n + m + p + q, k] = vstack(vstack(a, b), vstack(c, d))
fn hstack(a: T[k, n], b: T[k, m], c: T[k, p]) -> T[k, n + m + p] = hstack(hstack(a, b), c)
fn hstack(a: T[k, n], b: T[k, m], c: T[k, p], d: T[k, q]) -> T[k, n + m + p + q] = hstack(hstack(a, b), hstack(c, d))
## A matrix of these columns
fn column_stack(a: T[n], b: T[n]) -> T[n, 2] = [a, b].T
fn column_stack(a: T[n], b: T[n], c: T[n]) -> T[n, 3] = [a, b, c].T
fn column_stack(a: T[n], b: T[n], c: T[n], d: T[n]) -> T[n, 4] = [a, b, c, d].T
## The same of an array of such: rows as columns; vectors, or matrices, one behind the other, below or beside another
fn column_stack(rows: T[k, n]) -> T[n, k] = rows.T
fn concat(rows: T[k, n]) -> T[k * n] = reshape(rows, k * n)
fn hstack(rows: T[k, n]) -> T[k * n] = reshape(rows, k * n)
fn vstack(rows: T[k, n]) -> T[k, n] = rows
fn concat(blocks: T[k, n, m]) -> T[k * n, m] = reshape(blocks, k * n, m)
fn vstack(blocks: T[k, n, m]) -> T[k * n, m] = reshape(blocks, k * n, m)
fn hstack(blocks: T[k, n, m]) -> T[n, k * m] = reshape([blocks[r, i, j] for i in 0:n, r in 0:k, j in 0:m], n, k * m)

## Where the k-th element of an array with these sizes stands, counted row by row
fn unravel_index(k: int, sizes: (int, int)) -> (int, int) {
    assert k >= 0 and k < sizes.0 * sizes.1, f"there is no element {k} of an array with sizes {sizes}"
    return (k // sizes.1, k % sizes.1)
}
fn unravel_index(k: int, sizes: (int, int, int)) -> (int, int, int) {
    assert k >= 0 and k < sizes.0 * sizes.1 * sizes.2, f"there is no element {k} of an array with sizes {sizes}"
    return (k // (sizes.1 * sizes.2), k // sizes.2 % sizes.1, k % sizes.2)
}

# (a, b) == (c, d): frontend/check_op.c
fn _tuple_eq(x: (A, B), y: (C, D)) -> bool = x.0 == y.0 and x.1 == y.1
fn _tuple_eq(x: (A, B, C), y: (D, E, F)) -> bool = x.0 == y.0 and x.1 == y.1 and x.2 == y.2
fn _tuple_eq(x: (A, B, C, D), y: (E, F, G, H)) -> bool = x.0 == y.0 and x.1 == y.1 and x.2 == y.2 and x.3 == y.3
fn _tuple_ne(x: T, y: U) -> bool = not _tuple_eq(x, y)

# let (a, b) = x of an array: its elements, or its rows
fn _apart2(x: T[n]) -> (T, T) {
    assert n == 2, f"2 names for {n} elements"
    return (x[0], x[1])
}
fn _apart2(x: T[n, m]) -> (T[m], T[m]) {
    assert n == 2, f"2 names for {n} rows"
    return (x[0], x[1])
}
fn _apart3(x: T[n]) -> (T, T, T) {
    assert n == 3, f"3 names for {n} elements"
    return (x[0], x[1], x[2])
}
fn _apart3(x: T[n, m]) -> (T[m], T[m], T[m]) {
    assert n == 3, f"3 names for {n} rows"
    return (x[0], x[1], x[2])
}
fn _apart4(x: T[n]) -> (T, T, T, T) {
    assert n == 4, f"4 names for {n} elements"
    return (x[0], x[1], x[2], x[3])
}
fn _apart4(x: T[n, m]) -> (T[m], T[m], T[m], T[m]) {
    assert n == 4, f"4 names for {n} rows"
    return (x[0], x[1], x[2], x[3])
}
