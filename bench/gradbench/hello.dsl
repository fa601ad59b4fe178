# GradBench hello: a square, and its derivative

export fn square(x: f64) -> f64 = x * x
export fn double(x: f64) -> f64 = grad(square)(x)

test "the derivative of a square" {
    assert square(3) == 9 and double(3) == 6 and double(-0.5) == -1
}
