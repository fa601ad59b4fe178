# Loops over time whose rows go around, the first one behind the last: bands of turns, and gaps between all tiles.

## Two fields that react
fn react(u0: f64[n, m], v0: f64[n, m], turns: int) -> (f64[n, m], f64[n, m]) {
    var u = u0
    var v = v0
    for t in 0:turns {
        let lu = [u[(i + 1) % n, j] + u[(i + n - 1) % n, j] + u[i, (j + 1) % m] + u[i, (j + m - 1) % m] - 4 * u[i, j] for i in 0:n, j in 0:m]
        let lv = [v[(i + 1) % n, j] + v[(i + n - 1) % n, j] + v[i, (j + 1) % m] + v[i, (j + m - 1) % m] - 4 * v[i, j] for i in 0:n, j in 0:m]
        let uvv = u * v^2
        u += 0.16 * lu - uvv + 0.035 * (1 - u)
        v += 0.08 * lv + uvv - 0.1 * v
    }
    return (u, v)
}
## Two rows back, one on, by a launch
kernel flow(next: out f64[n, m], u: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m { next[i, j] = 0.5 * u[i, j] + 0.25 * u[(i + n - 2) % n, j] + 0.25 * u[(i + 1) % n, (j + 3) % m] }
}
fn flown(u0: f64[n, m], turns: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns {
        var next = u
        launch flow[(m // 16 + 1, n // 4 + 1), (16, 4)](next, u)
        u = next
    }
    return u
}
## By roll, and a second step in the turn
fn rolled(u0: f64[n, m], turns: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns {
        let w = 0.5 * u + 0.25 * roll(u, 1, 0) + 0.25 * roll(u, -1, 0)
        u = w + 0.125 * (roll(w, 2, 0) - w)
    }
    return u
}
## Far more than a row away, mirrored, or around another number: not in bands, but right
fn others(u0: f64[n, m], turns: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns {
        u = [0.5 * u[i, j] + 0.25 * u[(i + n // 2) % n, j] + 0.125 * u[n - 1 - i, j] + 0.125 * u[(i + 1) % (n // 2 + 1), j] for i in 0:n, j in 0:m]
    }
    return u
}
fn energy(u0: f64[n, m], turns: int) -> f64 = sum(rolled(u0, turns)^2)

for n in [1, 2, 3, 100, 257] {
    let m = n // 10 + 4
    let u = [f64((3 * i + j * j) % 11) / 11 for i in 0:n, j in 0:m]
    for turns in [1, 2, 31] {
        let (a, b) = react(u, 0.5 * u, turns)
        let (f, r, o) = (flown(u, turns), rolled(u, turns), others(u, turns))
        let g = grad(energy)(u, turns)
        print(n, turns, sum(a), a[0, 0], b[n - 1, 1], sum(f), f[n // 2, 2], f[0, 1], sum(r), r[0, 3], r[n - 1, 0], sum(o), o[0, 0], sum(g), g[n - 1, 1])
    }
}
## At a size that the compiler knows
fn known(u0: f64[240, 32], turns: int) -> f64[240, 32] {
    var u = u0
    for t in 0:turns { u = [0.5 * u[(i + 239) % 240, j] + 0.5 * u[(i + 2) % 240, (j + 1) % 32] for i in 0:240, j in 0:32] }
    return u
}
let k = known([f64((3 * i + j * j) % 11) for i in 0:240, j in 0:32], 45)
print(sum(k), k[0, 0], k[239, 31], k[120, 5])
