# The gradient of soft dynamic time warping (Cuturi, Blondel, Soft-DTW, ICML 2017), with the table as a C program fills it
const n = 512
const reps = 5

fn softmin(a: f64, b: f64, c: f64, g: f64) -> f64 {
    let m = min(a, min(b, c))
    return m - g * log(exp((m - a) / g) + exp((m - b) / g) + exp((m - c) / g))
}
fn warped(x: f64[n], y: f64[m], g: f64) -> f64 {
    var r = full(1e10, n + 1, m + 1)
    r[0, 0] = 0
    for i in 0:n {
        for j in 0:m {
            r[i + 1, j + 1] = (x[i] - y[j])^2 + softmin(r[i, j], r[i, j + 1], r[i + 1, j], g)
        }
    }
    return r[n, m]
}

var x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
let y = [f64((i + 31) * 7919 % 10007) / 10007.0 for i in 0:n]
var g = grad(warped, wrt=x)(x, y, 0.1)
let start = time()
for r in 0:reps {
    x -= 0.01 * g
    g = grad(warped, wrt=x)(x, y, 0.1)
}
let seconds = (time() - start) / reps
print("check", sum(g * g))
print("time", seconds)
