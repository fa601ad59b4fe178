# Two million particles give their charge to the four nodes around each (cloud in cell); the peer is the serial loop on one thread, and
# OpenMP atomics on more
const n = 2000000
const g = 1024
const reps = 5

kernel deposit(rho: inout f64[g, g], x: f64[n], y: f64[n], q: f64[n]) {
    let p = block.x * blockdim.x + thread.x
    if p >= n { return }
    let u = x[p] * (g - 1)
    let v = y[p] * (g - 1)
    let i = int(u)
    let j = int(v)
    let a = u - i
    let b = v - j
    atomic rho[i, j] += q[p] * (1 - a) * (1 - b)
    atomic rho[i, j + 1] += q[p] * (1 - a) * b
    atomic rho[i + 1, j] += q[p] * a * (1 - b)
    atomic rho[i + 1, j + 1] += q[p] * a * b
}

fn mixed(i: int) -> int {
    let h = i * 2654435761 % 4294967296
    return (h xor (h >> 15)) * 2246822519 % 4294967296
}

let x = [mixed(i) / 4294967296.0 for i in 0:n]
let y = [mixed(i + n) / 4294967296.0 for i in 0:n]
let q = [mixed(i + 2 * n) / 4294967296.0 for i in 0:n]
var rho = zeros(f64, g, g)
launch deposit[ceildiv(n, 256), 256](rho, x, y, q)
let start = time()
for r in 0:reps { launch deposit[ceildiv(n, 256), 256](rho, x, y, q) }
let seconds = (time() - start) / reps
print("check", sum(rho[i, j] * ((3 * i + j) % 7) for i in 0:g, j in 0:g))
print("time", seconds)
