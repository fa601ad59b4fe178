# Work in a reduction that does not depend on the comprehension around it; empty axes; three levels
fn weighted(x: f64[n, m], y: f64[m, p]) -> f64[n] = [sum(x[i, k] * sum(exp(y[k, l] - max(y[k, q] for q)) for l) for k) for i]
fn twice(x: f64[n, m], y: f64[m, p]) -> f64[n] =
    [sum(x[i, k] * sum(y[j, l] * sum(sin(y[j, q] * y[k, q]) for q) for j, l) for k) for i]
fn nearest(x: f64[n, d], c: f64[k, d]) -> f64 = sum(min(sum((x[i, j] - c[l, j])^2 for j) for l) for i)
let x = reshape(arange(12) / 4.0, 3, 4)
let y = reshape(cos(arange(20)), 4, 5)
print(weighted(x, y), twice(x, y))
print(weighted(zeros(f64, 0, 4), y), weighted(zeros(f64, 2, 0), zeros(f64, 0, 5)), weighted(ones(f64, 2, 4), zeros(f64, 4, 0)))
print(grad(nearest)(x, y[0:2, 0:4]))
print(hvp(nearest, wrt=c)(x, y[0:2, 0:4], ones(f64, 2, 4)))
