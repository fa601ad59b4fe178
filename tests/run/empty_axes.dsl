# Parallel loops none of whose axes has turns, two of them less than none
fn inside(u: f64[n, m, l]) -> f64 {
    var h = u
    for i in 2:n - 2 { for j in 1:m - 1 { for k in 1:l - 1 { h[i, j, k] = 1 }}}
    var g = h
    parallel for i in 1:n - 1, j in 2:m - 2, k in 1:l - 1 { g[i, j, k] = 2 * u[i - 1, j + 2, k + 1] }
    return sum(g)
}
fn none(from: int, to: int) -> int {
    var hits = zeros(int, 4)
    parallel for i in from:to, j in from:to { atomic hits[0] += 1 }
    parallel for i in from:to, j in from:to, k in 0:3 { atomic hits[1] += 1 }
    return sum(hits)
}
for n in [1, 3, 5] { for m in [2, 4] { for l in [3, 17] { print(n, m, l, inside([1.0 for i in 0:n, j in 0:m, k in 0:l])) } } }
let (lows, highs) = ([3, 3, 3, 9], [1, 3, 5, -9])
for q in 0:4 { print(none(lows[q], highs[q])) }
