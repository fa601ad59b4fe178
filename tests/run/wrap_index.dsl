# Indices that go around: rings, tori, rolled arrays; by constants, sizes and scalars
kernel ring(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = x[(i + 1) % n] + x[(i - 1) % n] - 2 * x[i] }
}
kernel far(y: out f64[n], x: f64[n], k: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n and k >= 0 and k < n { y[i] = x[(i + k) % n] }
}
fn torus(u: f64[n, m]) -> f64[n, m] = [u[(i + 1) % n, j] + u[(i + n - 1) % n, j] + u[i, (j + 1) % m] + u[i, (j - 1 + m) % m] for i in 0:n, j in 0:m]
fn all(n: int, m: int) {
    let x = rand(1, n)
    var y = zeros(f64, n)
    launch ring[ceildiv(n, 64), 64](y, x)
    print(y)
    launch far[ceildiv(n, 64), 64](y, x, n // 2)
    print(y, roll(x, 1), roll(x, -1), roll(x, 2 * n + 3))
    print(torus(rand(2, n, m)), roll(rand(3, n, m), 1, -1))
    let k = [(2 * i) % n for i in 0:n]
    print(k, [(i * i - 3) % n for i in 0:n], [i % 3 for i in 0:n], [(i - n) % n for i in 0:n], [(n - i) % n for i in 0:n])
}
all(1, 1)
all(2, 3)
all(7, 9)
