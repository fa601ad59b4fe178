# Heat in a plate whose edges are insulated, as one writes it with values: the next state begins as a copy of this one
const n = 2000
const reps = 5

kernel step(next: out f64[n, m], u: f64[n, m], rate: f64) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 and j >= 1 and j < m - 1 {
        next[i, j] = u[i, j] + rate * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])
    }
}

fn heat(u0: f64[n, m], rate: f64, turns: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns {
        var next = u
        launch step[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](next, u, rate)
        for j in 0:m {
            next[0, j] = next[1, j]
            next[n - 1, j] = next[n - 2, j]
        }
        for i in 0:n {
            next[i, 0] = next[i, 1]
            next[i, m - 1] = next[i, m - 2]
        }
        u = next
    }
    return u
}

let u = [f64((i * n + j) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:n]
let warm = heat(u, 0.2, 2)
var s = 0.0
let start = time()
for r in 0:reps {
    let v = heat(u, 0.1 + 0.01 * r, 20)
    s += v[0, r] + v[1000, 100 + r] + v[n - 1, n - 1]
}
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
