# Loops that accumulate: counts, extremes, places, flags, the last one. Of many turns they are reductions, whose
# results are those of the loops: of equals the first or the last, zeros of either sign, NaN.
fn count(x: f64[n], over: f64) -> int {
    var c = 0
    for i in 0:n { if x[i] > over { c += 1 } }
    return c
}
fn above_below(x: f64[n]) -> (int, int) {
    var (up, down) = (0, 0)
    for v in x {
        if v > 0.5 { up += 1 }
        if v < 0.1 { down -= 1 } else { if v < 0.2 { down -= 2 } }
    }
    return (up, down)
}
fn greatest(x: f64[n], first: f64) -> f64 {
    var m = first
    for i in 0:n { m = max(m, x[i]) }
    return m
}
fn greatest_turned(x: f64[n], first: f64) -> f64 {
    var m = first
    for i in 0:n { m = max(x[i], m) }
    return m
}
fn least(x: f64[n], first: f64) -> f64 {
    var m = first
    for i in 0:n { m = min(m, x[i]) }
    return m
}
fn if_greatest(x: f64[n], first: f64) -> f64 {
    var m = first
    for i in 0:n { if x[i] > m { m = x[i] } }
    return m
}
fn if_greatest_last(x: f64[n], first: f64) -> f64 {
    var m = first
    for i in 0:n { if m <= x[i] { m = x[i] } }
    return m
}
fn if_least(x: f64[n], first: f64) -> f64 {
    var m = first
    for i in 0:n { if x[i] < m { m = x[i] } }
    return m
}
# NaN is forgotten here: no reduction
fn not_less(x: f64[n], first: f64) -> f64 {
    var m = first
    for i in 0:n { if not (x[i] <= m) { m = x[i] } }
    return m
}
fn place(x: T[n], first: T) -> (T, int) {
    var (best, at) = (first, -1)
    for i in 0:n { if x[i] > best { best = x[i]; at = i } }
    return (best, at)
}
fn place_last(x: T[n], first: T) -> (T, int) {
    var (best, at) = (first, -1)
    for i in 0:n { if x[i] >= best { best = x[i]; at = i } }
    return (best, at)
}
fn place_least(x: T[n], first: T) -> (T, int, T) {
    var (best, at, twice) = (first, -1, T(0))
    for i in 0:n { if best > x[i] { best = x[i]; at = i; twice = 2 * x[i] } }
    return (best, at, twice)
}
# Among those with an even place alone, backwards, two at a time
fn place_guarded(x: f64[n]) -> (f64, int) {
    var (best, at) = (-1e9, -1)
    for i in n-1:-1:-3 { if i % 2 == 0 and x[i] > best { best = x[i]; at = i } }
    return (best, at)
}
fn place_2d(a: f64[n, m]) -> (f64, int, int) {
    var (best, p, q) = (a[0, 0], 0, 0)
    for i in 0:n { for j in 0:m { if a[i, j] > best { best = a[i, j]; p = i; q = j } } }
    return (best, p, q)
}
fn count_triangle(a: f64[n, m]) -> int {
    var c = 0
    for i in 0:n { for j in 0:min(i, m) { if a[i, j] > 0.5 { c += j } } }
    return c
}
fn wraps(k: u8[n]) -> (u8, i32, int, bool) {
    var (s, p, x, odd) = (u8(7), i32(1), 0, false)
    for i in 0:n { s += k[i]; p *= i32(2 * i + 1); x ^= int(k[i]) << (i % 50); odd = odd != (k[i] % 2 == 1) }
    return (s, p, x, odd)
}
fn extremes(k: int[n]) -> (int, int) {
    var (low, high) = (k[0], k[0])
    for v in k { low = min(low, v); if v > high { high = v } }
    return (low, high)
}
fn flags(x: f64[n]) -> (bool, bool, bool) {
    var (every, any, same) = (true, false, true)
    for i in 0:n {
        if x[i] < 0 { every = false }
        any = any or x[i] > 0.9999
        same = same and x[i] == x[0]
    }
    return (every, any, same)
}
fn last(x: f64[n]) -> (int, f64) {
    var (at, v) = (-1, nan)
    for i in 0:n { if x[i] > 0.99 { at = i; v = x[i] } }
    return (at, v)
}
fn masks(k: int[n]) -> (int, int) {
    var (all, some) = (-1, 0)
    for v in k { all &= v | 3; if v % 3 == 0 { some |= v } }
    return (all, some)
}
# Not the same in another order
fn recurrence(k: int[n]) -> int {
    var c = 1
    for v in k { if v % 2 == 0 { c += v } else { c *= 3 } }
    return c
}
fn clipped(k: int[n]) -> int {
    var c = 0
    for v in k { c = min(c + v, 50) }
    return c
}

for n in [0, 1, 5, 40, 700, 20011] {
    let x = rand(3, n)
    let y = [round(10 * v) / 10 - 1 for v in x]
    print(n, count(x, 0.25), above_below(x), greatest(x, 0.1), least(x, 0.7), if_greatest(x, 0.2), if_least(y, 0.2))
    print(place(y, -5.0), place_last(y, -5.0), place_least(x, 1.0), place(x, 2.0))
    if n > 0 {
        print(place_guarded(y), flags(x), last(x), extremes([int(100 * v) for v in x]))
        print(place([int(9 * v) for v in x], 0), place_last([int(9 * v) for v in x], 0))
    }
    print(masks([int(1000 * v) | 12 for v in x]), recurrence([int(1000 * v) for v in x]), clipped([int(9 * v) - 4 for v in x]))
    print(wraps([u8(250 * v) for v in x]))
    # zeros of either sign among what is negative; the sign is told by the quotient
    let z = [if i % 7 == 3 { if (i // 7) % 2 == 0 { -0.0 } else { 0.0 } } else { -1 - x[i] } for i in 0:n]
    print(1 / greatest(z, -1.0), 1 / greatest_turned(z, -1.0), 1 / if_greatest(z, -1.0), 1 / if_greatest_last(z, -1.0))
    print(1 / greatest(z, 0.0), 1 / greatest_turned(z, -0.0), 1 / if_greatest(z, -0.0), 1 / if_greatest_last(z, 0.0))
    print(1 / least(-z, 1.0), 1 / if_least(-z, 1.0), 1 / place(z, -1.0).0, 1 / place_last(z, -1.0).0)
    # NaN
    let w = [if i % 11 == 4 { nan } else { x[i] } for i in 0:n]
    print(greatest(w, 0.1), greatest_turned(w, 0.1), if_greatest(w, 0.1), if_least(w, 2.0), place(w, 0.1), place_last(w, 0.1))
    print(greatest(x, nan), if_greatest(x, nan), place(x, nan), if_greatest_last(x, nan), not_less(w, 0.1), not_less(w[0:min(n, 3)], nan))
    let f = [-inf for i in 0:n]
    print(greatest(f, -inf), if_greatest_last(f, -inf), place(f, -inf), place_last(f, -inf))
}
let a = [round(5 * v) / 5 for v in reshape(rand(4, 60 * 701), 60, 701)]
print(place_2d([a[i, j] for i in 0:60, j in 0:701]), count_triangle([a[i, j] for i in 0:60, j in 0:701]))
print(place_2d([[1.0, 3.0], [3.0, 2.0]]), count_triangle([[1.0, 3.0], [3.0, 2.0]]))
