# GradBench det: a determinant by expansion along the first row, again and again

## The determinant of the rows of `a` from `row` on, without the columns whose bits are set in `used`
fn minor(a: f64[n, n], row: int, used: int) -> f64 {
    if row == n { return 1.0 }
    var total = 0.0
    var sign = 1.0
    for j in 0:n {
        if (used >> j) & 1 == 0 {
            total += sign * a[row, j] * minor(a, row + 1, used | 1 << j)
            sign = -sign
        }
    }
    return total
}

export fn primal(a: f64[n, n]) -> f64 = minor(a, 0, 0)
export fn gradient(a: f64[n, n]) -> f64[n, n] = grad(primal)(a)

test "against the factorized determinant and the cofactors" {
    let a = rand(1, 5, 5)
    assert abs(primal(a) - det(a)) < 1e-12
    let cofactors = det(a) * inv(a).T
    assert all(abs(gradient(a) - cofactors) < 1e-12 * (1 + abs(cofactors)))
    assert check_grad(fn(x) => primal(reshape(x, 5, 5)), flatten(a)) < 1e-6
}
