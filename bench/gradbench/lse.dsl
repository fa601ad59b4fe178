# GradBench lse: the logarithm of a sum of exponentials

export fn primal(x: f64[n]) -> f64 {
    let highest = max(x)
    return highest + log(sum(exp(x - highest)))
}
export fn gradient(x: f64[n]) -> f64[n] = grad(primal)(x)

test "the gradient is the softmax" {
    let x = 3 * randn(1, 40)
    let p = exp(x) / sum(exp(x))
    assert all(abs(gradient(x) - p) <= 1e-13 * p)
    assert check_grad(primal, x) < 1e-6
    assert abs(primal(x + 800) - primal(x) - 800) < 1e-10, "large elements"
    assert all(abs(gradient(-x - 800) - gradient(-x)) <= 1e-12 * gradient(-x)), "small elements"
}
