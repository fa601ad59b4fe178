# Loops that keep a tape run in bands, those that go through it backwards, too, and those with walls: of a nest over two rows
# each becomes one.
# RUN: dslc --emit=loops %s -o - | FileCheck %s
# CHECK-COUNT-3: (%phase{{[.0-9]*}}: i64)
# CHECK-NOT: (%phase{{[.0-9]*}}: i64)
fn step(u: f64[n, m], k: f64[n, m]) -> f64[n, m] {
    var next = u
    next[1:-1, 1:-1] = [u[i, j] + k[i, j] * (u[i - 1, j] + u[i + 1, j] - 2 * u[i, j]) for i in 1:n - 1, j in 1:m - 1]
    return next
}
fn heat(u0: f64[n, m], k: f64[n, m]) -> f64 {
    var u = u0
    for t in 0:20 { u = step(u, k) }
    return sum(u^2)
}
fn walled(u0: f64[n, m], turns: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns {
        var next = u
        parallel for i in 1:n - 1, j in 1:m - 1 { next[i, j] = 0.25 * (u[i, j - 1] + u[i, j + 1] + u[i - 1, j] + u[i + 1, j]) }
        for j in 0:m { next[0, j] = next[1, j]; next[n - 1, j] = next[n - 2, j] }
        u = next
    }
    return u
}
let u = [f64((3 * i + j * j) % 11) for i in 0:500, j in 0:100]
let k = [0.01 * f64((i + 2 * j) % 5) for i in 0:500, j in 0:100]
print(sum(grad(heat, wrt=k)(u, k)), sum(walled(u, 30)))
