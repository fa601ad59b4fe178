# Derivatives of loops over time run in bands of turns, too: forwards each turn keeps a part of the tape, and backwards turns
# count down. The same bits as in order.
kernel burn(next: out f64[n, m], u: f64[n, m], k: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 and j >= 1 and j < m - 1 {
        let flow = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j]
        next[i, j] = u[i, j] + k[i, j] * flow + 0.01 * u[i, j]^2
    }
}
fn heat(u0: f64[n, m], k: f64[n, m], turns: int) -> f64 {
    var u = u0
    for t in 0:turns {
        var next = u
        launch burn[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](next, u, k)
        u = next
    }
    return sum(u^2)
}
## One number of each turn, which is read behind the loop
fn traced(u0: f64[n, m], turns: int) -> f64[turns] {
    var u = u0
    var seen = zeros(f64, turns)
    for t in 0:turns {
        u[1:-1, :] = [0.3 * (u[i - 1, j] + u[i, j] + u[i + 1, j]) for i in 1:n - 1, j in 0:m]
        seen[t] = u[n // 2, m // 2]
    }
    return seen
}

for n in [3, 40, 203] {
    let m = n // 10 + 3
    for turns in [0, 1, 2, 7, 20] {
        let u = [f64((3 * i + j * j) % 11) / 11 for i in 0:n, j in 0:m]
        let k = [0.1 + 0.01 * f64((i + 2 * j) % 5) for i in 0:n, j in 0:m]
        let (du, dk) = grad(heat, wrt=(u0, k))(u, k, turns)
        print(n, m, turns, sum(du), sum(dk), du[n // 2, m // 3], dk[1, 1], sum(traced(u, turns)))
    }
}
