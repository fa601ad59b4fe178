# GradBench ode: y' = z with z_0 = x_0, z_i = x_i y_(i-1), from 0 to 2 by the classical method of Runge and Kutta

fn slope(x: f64[n], y: f64[n]) -> f64[n] = [if i == 0 { x[0] } else { x[i] * y[i - 1] } for i in 0:n]

export fn primal(x: f64[n], s: int) -> f64[n] {
    let h = 2 / s
    var y = zeros(f64, n)
    for step in 0:s {
        let k1 = slope(x, y)
        let k2 = slope(x, y + h * k1 / 2)
        let k3 = slope(x, y + h * k2 / 2)
        let k4 = slope(x, y + h * k3)
        y += h * (k1 + 2 * k2 + 2 * k3 + k4) / 6
    }
    return y
}

## Of the last component
export fn gradient(x: f64[n], s: int) -> f64[n] = grad(fn(x: f64[n], s: int) => primal(x, s)[n - 1], wrt=x)(x, s)

test "the last component is a product of powers of 2 and of all x" {
    # y_i = x_0 ... x_i t^(i+1) / (i+1)!, which the method gives without error while i < 4
    let x = [1.5, 0.5, 3.0, 0.25]
    let y = primal(x, 3)
    assert abs(y[3] - prod(x) * 16 / 24) < 1e-14
    assert all(abs(gradient(x, 3) - y[3] / x) < 1e-13)
    assert check_grad(fn(x) => primal(x, 4)[11], 0.5 + rand(1, 12)) < 1e-6
}
