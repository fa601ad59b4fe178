# GradBench gmm: the posterior of a mixture of k Gaussians with a Wishart prior, given n points

## The logarithm of the multivariate gamma function
fn log_gamma(a: f64, d: int) -> f64 = d * (d - 1) / 4 * log(pi) + sum(lgamma(a - j / 2) for j in 0:d)

## The factors of the inverse covariances: lower triangles, whose diagonals are exp(q), and below them l, column by column
fn factors(q: f64[k, d], l: f64[k, strict]) -> f64[k, d, d] =
    [if i == j { exp(q[g, i]) } else if i > j { l[g, j * (2 * d - j - 1) // 2 + i - j - 1] } else { 0.0 } for g in 0:k, i in 0:d, j in 0:d]

export fn objective(x: f64[n, d], alpha: f64[k], mu: f64[k, d], q: f64[k, d], l: f64[k, strict], gamma: f64, m: int) -> f64 {
    assert strict == d * (d - 1) // 2
    let f = factors(q, l)
    let xs = reshape(f, k * d, d) @ x.T
    let centre = [sum(f[g, i, j] * mu[g, j] for j in 0:d) for g in 0:k, i in 0:d]
    let logdet = sum(q, axis=1)
    let beta = [alpha[g] + logdet[g] - sum((xs[g * d + i, p] - centre[g, i])^2 for i in 0:d) / 2 for p in 0:n, g in 0:k]
    let highest = max(beta, axis=1)
    let fit = sum(highest + log(sum(exp(beta - highest[:, newaxis]), axis=1)))
    let freedom = d + m + 1
    let constant = freedom * d * (log(gamma) - log(2.0) / 2) - log_gamma(freedom / 2, d)
    let prior = k * constant - gamma^2 / 2 * (sum(exp(q)^2) + sum(l^2)) + m * sum(q)
    return -n * d / 2 * log(2 * pi) - n * logsumexp(alpha) + fit + prior
}

## By alpha, mu, q, and l
export fn jacobian(x: f64[n, d], alpha: f64[k], mu: f64[k, d], q: f64[k, d], l: f64[k, strict], gamma: f64, m: int) -> (f64[k], f64[k, d], f64[k, d], f64[k, strict]) =
    grad(objective, wrt=(alpha, mu, q, l))(x, alpha, mu, q, l, gamma, m)

fn packed(x: f64[n, d], p: f64[size], k: int, m: int) -> f64 {
    let strict = d * (d - 1) // 2
    let (a, b, c) = (k, k + k * d, k + 2 * k * d)
    return objective(x, p[:k], reshape(p[a:a + k * d], k, d), reshape(p[b:b + k * d], k, d), reshape(p[c:], k, strict), 1.5, m)
}
test "against differences, and the density of one Gaussian" {
    let (n, d, k) = (7, 3, 2)
    let x = randn(1, n, d)
    let (alpha, mu, q, l) = (randn(2, k), randn(3, k, d), randn(4, k, d), randn(5, k, 3))
    for m in 0:2 {
        let (da, dmu, dq, dl) = jacobian(x, alpha, mu, q, l, 1.5, m)
        let g = concat(concat(da, flatten(dmu)), concat(flatten(dq), flatten(dl)))
        let p = concat(concat(alpha, flatten(mu)), concat(flatten(q), flatten(l)))
        let h = 1e-5
        for i in 0:len(p) {
            let e = [if j == i { h } else { 0.0 } for j in 0:len(p)]
            let difference = (packed(x, p + e, k, m) - packed(x, p - e, k, m)) / (2 * h)
            assert abs(g[i] - difference) <= 1e-6 * (abs(difference) + 1e-2)
        }
    }
    # One point, one dimension: N(x; mu, exp(-2q)) and the gamma distribution of the precision
    let value = objective([[0.7]], [0.3], [[0.2]], [[0.4]], zeros(f64, 1, 0), 1.0, 0)
    let (precision, freedom) = (exp(0.8), 2.0)
    let fit = log(precision / (2 * pi)) / 2 - precision * 0.25 / 2
    let prior = -precision / 2 - freedom / 2 * log(2.0) - lgamma(freedom / 2)
    assert abs(value - fit - prior) < 1e-13
}
