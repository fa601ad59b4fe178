# Five-point stencil on a plane, as a comprehension
const n = 2000
const reps = 20

fn step(u: f64[n, m]) -> f64[n, m] {
    var next = u
    next[1:n - 1, 1:m - 1] = [u[i, j] + 0.2 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])
                              for i in 1:n - 1, j in 1:m - 1]
    return next
}

fn run(u0: f64[n, m], steps: int) -> f64[n, m] {
    var u = u0
    for t in 0:steps { u = step(u) }
    return u
}

let u0 = run([f64((i * n + j) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:n], 2)
let start = time()
let u = run(u0, reps)
let seconds = (time() - start) / reps
print("check", sum(u))
print("time", seconds)
