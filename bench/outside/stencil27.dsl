# Jacobi relaxation with all 27 points of a cube, whole-array
const n = 130
const reps = 10

fn relaxed(u: f64[n, n, n]) -> f64[n, n, n] {
    var next = u
    next[1:-1, 1:-1, 1:-1] = [
        0.4 * u[i, j, k] +
        0.05 * (u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k] + u[i, j, k - 1] + u[i, j, k + 1]) +
        0.015 * (u[i - 1, j - 1, k] + u[i - 1, j + 1, k] + u[i + 1, j - 1, k] + u[i + 1, j + 1, k] +
            u[i - 1, j, k - 1] + u[i - 1, j, k + 1] + u[i + 1, j, k - 1] + u[i + 1, j, k + 1] +
            u[i, j - 1, k - 1] + u[i, j - 1, k + 1] + u[i, j + 1, k - 1] + u[i, j + 1, k + 1]) +
        0.015 * (u[i - 1, j - 1, k - 1] + u[i - 1, j - 1, k + 1] + u[i - 1, j + 1, k - 1] + u[i - 1, j + 1, k + 1] +
            u[i + 1, j - 1, k - 1] + u[i + 1, j - 1, k + 1] + u[i + 1, j + 1, k - 1] + u[i + 1, j + 1, k + 1])
        for i in 1:n - 1, j in 1:n - 1, k in 1:n - 1]
    return next
}

var u = [f64((((i * n) + j) * n + k) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:n, k in 0:n]
u = relaxed(u)
let start = time()
for t in 0:reps { u = relaxed(u) }
let seconds = (time() - start) / reps
print("check", sum(u), u[n // 2, n // 3, n // 4])
print("time", seconds)
