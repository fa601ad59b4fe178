# An element of a gradient is never -0: what is 0 may be a sum of more or fewer parts, as the program is optimized.
fn early(x: f64[n], w: f64[n], at: int[n], c: f64) -> f64 {
    var y = x
    y[n // 2] *= 0.7 * tanh(max(y[at[1]], c))
    for p in 0:3 {
        for q in 0:n:2 {
            y[q] = 0.7 * tanh(tanh(max(w[(q + 1) % n], 1.4)))
            if y[at[q]] > 1.1 { break }
        }
        if c > 1.1 { break }
    }
    parallel for p in 0:n { y[p] = sin(x[p]) }
    return sum(y * w)
}
let x = [0.1, -0.4, 0.3, 0.2]
let w = [0.5, -0.6, 0.1, -0.2]
print(grad(early, wrt=(x, w, c))(x, w, [1, 3, 0, 2], 0.7))
print(grad(fn(x) => -0.0 * sum(x))([1.0, 2.0]), grad(fn(x) => -x * 0)(1.0))
kernel flip(y: out f64[n], x: f64[n]) {
    let i = thread.x
    shared s: f64[4]
    s[i] = x[i]
    barrier
    y[i] = -s[3 - i] * 0
}
fn flipped(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch flip[1, n](y, x)
    return sum(y)
}
print(grad(flipped)(x), value_and_grad(flipped)(x), vjp(flipped)(x, -1.0), hessian(flipped)(x))
fn steps(x: f64[n], k: int) -> f64 {
    var y = x
    for t in 0:k { y = [y[i] * -0.0 - y[(i + 1) % n] * 0 for i in 0:n] }
    return sum(y)
}
print(grad(steps, wrt=x)(x, 1), grad(steps, wrt=x)(x, 3), grad(steps, wrt=x)(x, 0))
fn down(x: f64, k: int) -> f64 = if k == 0 { -x * 0 } else { down(-x, k - 1) }
print(grad(down, wrt=x)(1.0, 4), grad(down, wrt=x)(1.0, 3))
