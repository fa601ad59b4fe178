# Gradients of loops in loops that set elements of arrays: tables, trajectories, sweeps
fn chain(a: f64, n: int, d: int) -> f64 {
    var x = ones(f64, n, d)
    for t in 1:n {
        for k in 0:d { x[t, k] = a * sin(x[t - 1, k]) + 0.125 }
    }
    return sum(x^2)
}
# Neighbours, bounds that are not 0, a number for each row, a branch, a sum beside the array
fn table(u: f64[n, m], w: f64[m], a: f64) -> f64 {
    var h = u
    var total = 0.0
    for i in 1:n {
        let scale = a * f64(i % 3)
        for j in 1:m - 1 {
            let left = h[i, j - 1]
            if j % 2 == 0 { h[i, j] = scale * h[i - 1, j] + left * w[j] } else { h[i, j] += h[i - 1, j + 1] * a }
            total += h[i, j] * w[j - 1]
        }
    }
    return total + h[n - 1, m - 1]
}
# Three loops, two arrays
fn cube(x: f64[n], a: f64) -> f64 {
    var p = zeros(f64, n, n, n)
    var q = ones(f64, n)
    for i in 1:n {
        for j in 0:n {
            for k in 1:n {
                p[i, j, k] = p[i - 1, j, k - 1] * a + x[k] * q[j]
                q[j] = q[j] + 0.125 * x[i] * p[i, j, k]
            }
        }
    }
    return sum(p[n - 1]) + sum(q * q)
}
# Rows of different lengths stay as they are.
fn triangle(x: f64[n]) -> f64 {
    var t = zeros(f64, n, n)
    for i in 1:n {
        for j in 0:i { t[i, j] = x[i] * x[j] + t[i - 1, j] * 0.5 }
    }
    return sum(t * t)
}
# So do loops beside others, and rows that are set as a whole.
fn beside(x: f64[n]) -> f64 {
    var t = zeros(f64, n, n)
    for i in 1:n {
        for j in 0:n { t[i, j] = x[j] + t[i - 1, j] * x[i] }
        t[i] = t[i] * 0.5
    }
    return sum(t)
}

fn near(x: f64, y: f64) -> bool = abs(x - y) < 1e-6 * (1 + abs(y))
fn slope(f: fn(f64) -> f64, a: f64) -> f64 = (f(a + 1e-5) - f(a - 1e-5)) / 2e-5

print(near(grad(chain, wrt=a)(0.5, 6, 4), slope(fn(a) => chain(a, 6, 4), 0.5)),
      grad(chain, wrt=a)(0.5, 1, 4), grad(chain, wrt=a)(0.5, 4, 0))
for n in [1, 2, 5] {
    let m = n + 2
    let u = [f64((i * 7 + j * 5) % 11 - 5) / 8 for i in 0:n, j in 0:m]
    let w = [f64(j % 3) / 2 - 0.25 for j in 0:m]
    let v = [f64((i * 3 + j) % 5 - 2) / 4 for i in 0:n, j in 0:m]
    let g = grad(table)(u, w, 0.5)
    let both = slope(fn(s) => table(u + s * v, w + 2 * s, 0.5 - s), 0.0)
    print(n, near(sum(g[0] * v) + 2 * sum(g[1]) - g[2], both))
    let x = [f64(i % 4) / 4 - 0.5 for i in 0:n]
    let y = [f64(i % 3) / 2 - 0.25 for i in 0:n]
    print("  ", near(sum(grad(cube, wrt=x)(x, 0.5) * y), slope(fn(s) => cube(x + s * y, 0.5), 0.0)),
          near(sum(grad(triangle)(x) * y), slope(fn(s) => triangle(x + s * y), 0.0)),
          near(sum(grad(beside)(x) * y), slope(fn(s) => beside(x + s * y), 0.0)),
          near(sum(grad(fn(x) => sum(grad(triangle)(x) * y))(x) * y), slope(fn(s) => sum(grad(triangle)(x + s * y) * y), 0.0)))
}
