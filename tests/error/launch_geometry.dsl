kernel k(y: out f64[n]) { y[thread.x] = 1.0 }
fn f(y: f64[n]) -> f64[n] { return y }
var y = zeros(f64, 4)
launch k[0, 4](y)
launch k[1, 2048](y)
launch k[1, (64, 32)](y)
launch k[1, -1](y)
launch k[1.5, 4](y)
launch k[y, 4](y)
launch k[1, (1024, 1)](y)
launch f[1, 4](y)
launch kk[1, 4](y)
const N = 1000
launch k[(N + 31)/32, 32](y)
launch k[(N + 32 - 1)/32, 32](y)
launch k[(N - 1)/32 + 1, 32](y)
launch k[(2 * N + N - 7)/32, 32](y)
fn g(n: int, bs: int) {
    var z = zeros(f64, n)
    launch k[(n + bs - 1)/bs, bs](z)
    launch k[n/bs + 1, bs](z)
    launch k[(n + 3)/128, 128](z)
}
g(100, 32)
