# The plate of docs/stablehlo.md: table.sh
kernel step(next: out f64[n, m], u: f64[n, m], k: f64) {
    let (i, j) = (block.y * 16 + thread.y, block.x * 16 + thread.x)
    if i > 0 and i < n - 1 and j > 0 and j < m - 1 {
        next[i, j] = u[i, j] + k * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])
    }
}

## A plate after some steps
export fn warm(u0: f64[n, m], k: f64, steps: int) -> f64[n, m] {
    var u = u0
    for t in 0:steps {
        var next = u
        launch step[(ceildiv(m, 16), ceildiv(n, 16)), (16, 16)](next, u, k)
        u = next
    }
    return u
}

## How the sum of squares changes with k
export fn slope(u0: f64[n, m], k: f64, steps: int) -> f64 = grad(fn(k) => sum(warm(u0, k, steps)^2))(k)
