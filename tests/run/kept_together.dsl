# Sums whose values are kept for a second loop: many of two types, in several rounds, with one axis and with two, the same
# bits with any number of threads
fn forces(node: int[n, 8], x: f64[n], m: int) -> (f64[m], f32[m]) {
    var y = zeros(f64, m)
    var z = zeros(f32, m)
    parallel for i in 0:n {
        let a = exp(x[i])
        let b = sin(x[i]) * a + 2
        let c = sqrt(x[i]) + b
        let d = cos(x[i]) / c
        atomic y[node[i, 0]] += a * b
        atomic y[node[i, 1]] += b * c
        atomic y[node[i, 2]] += c * d
        atomic y[node[i, 3]] += d * a
        atomic y[node[i, 4]] += a * c
        atomic y[node[i, 5]] += b * d
        atomic y[node[i, 6]] += a / b
        atomic y[node[i, 7]] += b / c
        atomic z[node[i, 1]] += f32(a * d)
        atomic z[node[i, 5]] += f32(c * d)
    }
    return (y, z)
}
fn plane(node: int[h, w], x: f64[h, w], m: int) -> f64[m, 9] {
    var y = zeros(f64, m, 9)
    parallel for i in 0:h, j in 0:w {
        let k = node[i, j]
        let a = exp(x[i, j])
        let b = sin(x[i, j]) * a + 2
        let c = sqrt(x[i, j]) + b
        atomic y[k, 0] += a * b
        atomic y[k, 1] += b * c
        atomic y[k, 2] += c * a
        atomic y[k, 3] += a / b
        atomic y[k, 4] += a * a
        atomic y[(k + 1) % m, 5] += b * b
        atomic y[(k + 1) % m, 6] += a - c
        atomic y[(k + 2) % m, 7] += b - c
        atomic y[(k + 2) % m, 8] += a / c
    }
    return y
}
fn mix(i: int) -> int = (i * 7919 + i // 7 * 104729) % 1000003
let n = 40000
let m = 500
let x = [f64(mix(i)) / 1000003.0 for i in 0:n]
let node = [mix(i * 8 + s) % m for i in 0:n, s in 0:8]
let (y, z) = forces(node, x, m)
print(sum(y), sum(y[k] * (k % 7) for k in 0:m), sum(z), y[3], z[11])
let p = plane([node[i * 60 + j, 0] for i in 0:100, j in 0:60], [x[i * 60 + j] for i in 0:100, j in 0:60], m)
print(sum(p), sum(p[k, c] * (k % 7 + c) for k in 0:m, c in 0:9), p[3, 8])
