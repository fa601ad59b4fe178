# An alignment with a soft minimum (soft-DTW) by antidiagonals, whose cells are computed in parallel; its gradient by the costs
const n = 1000
const reps = 3

fn align(cost: f64[n, n]) -> f64 {
    var r = [f64(max(i, j)) for i in 0:n + 1, j in 0:n + 1]
    for d in 2:2 * n + 1 {
        parallel for i in max(1, d - n):min(d, n + 1) {
            let j = d - i
            let low = min(r[i - 1, j - 1], min(r[i - 1, j], r[i, j - 1]))
            let s = exp(low - r[i - 1, j - 1]) + exp(low - r[i - 1, j]) + exp(low - r[i, j - 1])
            r[i, j] = cost[i - 1, j - 1] + low - log(s)
        }
    }
    return r[n, n]
}

var cost = [f64((i * n + j) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:n]
var g = grad(align)(cost)
let start = time()
for r in 0:reps {
    cost -= 1e-3 * g
    g = grad(align)(cost)
}
let seconds = (time() - start) / reps
print("check", g[0, 0], g[500, 480], g[n - 1, n - 1], sum(g))
print("time", seconds)
