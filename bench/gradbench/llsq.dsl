# GradBench llsq: how far a polynomial with coefficients x is from the sign function, at n points of [-1, 1]

fn polynomial(x: f64[m], t: f64) -> f64 {
    var value = 0.0
    var power = 1.0
    for j in 0:m {
        value += x[j] * power
        power *= t
    }
    return value
}
fn residual(x: f64[m], t: f64) -> f64 = sign(t) - polynomial(x, t)

export fn primal(x: f64[m], n: int) -> f64 = sum(residual(x, -1 + 2 * i / (n - 1))^2 for i in 0:n) / 2
export fn gradient(x: f64[m], n: int) -> f64[m] = grad(primal)(x, n)

test "against the normal equations" {
    let x = randn(1, 7)
    let t = linspace(-1.0, 1.0, 20)
    let a = [t[i]^j for i in 0:20, j in 0:7]
    let exact = a.T @ (a @ x - sign(t))
    assert all(abs(gradient(x, 20) - exact) <= 1e-12 * (1 + abs(exact)))
    assert check_grad(fn(x) => primal(x, 20), x) < 1e-6
}
