# Heat in a plate with cold walls, and how much there is each 50 steps: beside the same by hand in C with MPI (heat_peer.c)
arg n: int = 1600
arg steps: int = 400
var u = [sin(0.01 * i) * cos(0.02 * j) for i in 0:n, j in 0:n]
var next = u
var heat = 0.0
let start = time()
for t in 0:steps {
    parallel for i in 1:n - 1, j in 1:n - 1 {
        next[i, j] = u[i, j] + 0.1 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])
    }
    let old = u
    u = next
    next = old
    if t % 50 == 0 { heat += sum(u) }
}
let spent = time() - start
print(f"heat {heat:.6f}")
print(f"seconds {spent:.4f}")
