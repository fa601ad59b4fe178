# Polynomials by their coefficients, that of the highest power first.

## The polynomial of this degree that is nearest to the points: least squares, by svd; columns are scaled to length 1
fn polyfit(x: f64[n], y: f64[n], degree: int) -> f64[k] {
    assert degree >= 0 and degree < n, f"polyfit: a polynomial of degree {degree} needs {degree + 1} points, here are {n}"
    let k = degree + 1
    let powers = [x[i]^(degree - j) for i in 0:n, j in 0:k]
    let size = sqrt(sum(powers^2, axis=0))
    return lstsq(powers / size, y) / size
}
## Its value at x (Horner)
fn polyval(p: f64[n], x: f64) -> f64 {
    var v = 0.0
    for c in p { v = v * x + c }
    return v
}
fn polyval(p: f64[n], x: f64[m]) -> f64[m] = [polyval(p, v) for v in x]
fn polyval(p: f64[n], x: f64[m, k]) -> f64[m, k] = [polyval(p, x[i, j]) for i in 0:m, j in 0:k]
## Where it is 0: eigenvalues of its companion matrix
fn roots(p: f64[n]) -> c128[found] {
    let most = place([v != 0 for v in p], true)
    assert most >= 0, "roots of a polynomial that is 0"
    let q = p[most:]
    let m = n - most - 1
    return eig([if i == 0 { -q[j + 1] / q[0] } else if i == j + 1 { 1.0 } else { 0.0 } for i in 0:m, j in 0:m]).0
}
