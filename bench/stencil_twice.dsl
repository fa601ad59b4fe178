# The bending of a plate, a stencil of a stencil: two launches, which --fp=reassoc makes one of 13 points
# options: --fp=reassoc
const n = 2000
const reps = 20

kernel laplace(y: out f64[n, m], u: f64[n, m], c: f64) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m {
        if i >= 1 and i < n - 1 and j >= 1 and j < m - 1 {
            y[i, j] = c * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])
        } else { y[i, j] = 0 }
    }
}

fn bending(u: f64[n, m], c: f64) -> f64[n, m] {
    var y = zeros(f64, n, m)
    launch laplace[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](y, u, 1.0)
    var z = zeros(f64, n, m)
    launch laplace[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](z, y, c)
    return z
}

fn probe(u: f64[n, m], steps: int) -> f64 {
    var s = 0.0
    for t in 0:steps {
        let z = bending(u, 1.0 + 0.125 * t)
        s += z[1, 100 + t] + z[1000, 100 + t] + z[n - 3, m - 3]
    }
    return s
}

let u = [f64((i * n + j) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:n]
let warm = probe(u, 2)
let start = time()
let s = probe(u, reps)
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
