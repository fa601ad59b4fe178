# Gradients of least and greatest elements among others, many of them: the winner gets all, the first of equals
fn cost(x: f64[n, d], c: f64[k, d]) -> f64 = sum(min(sum((x[i, j] - c[l, j])^2 for j) for l) for i)
let x = randn(1, 40, 3)
let c = randn(2, 5, 3)
let (gx, gc) = grad(cost)(x, c)
print(check_grad(fn(y) => cost(reshape(y, 40, 3), c), flatten(x)) < 1e-7, check_grad(fn(y) => cost(x, reshape(y, 5, 3)), flatten(c)) < 1e-7)
print(max(abs(sum(gx, axis=0) + sum(gc, axis=0))) < 1e-12)
# Twice: where a point is where its centre is the slope is 0, its own slope is not
let (slope, curvature) = jvp(grad(cost, wrt=c), wrt=c)(x, x[:4, :], ones(f64, 4, 3))
print(min(curvature) >= 2, sum(curvature) == 240)
let hv = grad(fn(d: f64[4, 3]) => sum(grad(cost, wrt=c)(x, d)))(x[:4, :])
print(max(abs(hv - curvature)) < 1e-12)
# Ties: the first; NaN: nobody; nothing to compare: nobody
print(grad(cost, wrt=c)([[1.0]], [[0.0], [2.0]]).T, grad(cost, wrt=x)([[1.0]], [[0.0], [2.0]]))
print(grad(cost, wrt=c)([[1.0]], [[nan], [2.0]]).T, grad(cost, wrt=c)([[inf], [1.0]], [[3.0], [4.0]]).T)
print(grad(cost, wrt=x)([[1.0], [2.0]], zeros(f64, 0, 1)))
# Greatest ones; what is shared by all; of a scalar; under a condition; more than one; within one another
fn most(w: f64[n], a: f64, t: f64[m]) -> f64 = sum(max(sin(w[i] * t[j] + a) * exp(-a * t[j]) for j) for i)
let w = [0.3, 1.2, -0.7, 2.0]
let t = [0.1, 0.5, 0.9, 1.7, -0.4]
print(check_grad(fn(y) => most(y, 0.2, t), w) < 1e-7, check_grad(fn(y) => most(w, 0.2, y), t) < 1e-7)
print(abs(grad(most, wrt=a)(w, 0.2, t) - (most(w, 0.2 + 1e-6, t) - most(w, 0.2 - 1e-6, t)) / 2e-6) < 1e-7)
fn some(w: f64[n], t: f64[m]) -> f64 =
    sum(if w[i] > 0 { max(w[i] * t[j]^2 for j) * min(sum(cos(t[j] * t[k]) for k) + w[i] * t[j] for j) } else { w[i] } for i)
print(check_grad(fn(y) => some(y, t), w) < 1e-7, check_grad(fn(y) => some(w, y), t) < 1e-7)
fn saddle(w: f64[n], t: f64[m]) -> f64 = sum(max(min(sum(w[i] * t[k] for k in 0:j + 1) - t[l]^2 for l) for j in 0:m) for i)
print(check_grad(fn(y) => saddle(y, t), w) < 1e-7, check_grad(fn(y) => saddle(w, y), t) < 1e-7)
fn rows(a: f64[n, m]) -> f64[n] = [max(a[i, j] * a[n - 1 - i, j] for j) for i in 0:n]
print(check_grad(fn(y) => sum(rows(reshape(y, 4, 5)) * w), randn(3, 20)) < 1e-7)
fn prods(w: f64[n], t: f64[m]) -> f64 = sum(prod(max(w[i] * t[j] * t[k] for k) for j) for i)
print(check_grad(fn(y) => prods(y, t), w) < 1e-7, check_grad(fn(y) => prods(w, y), t) < 1e-7)
# Through a table, where what is added is 0 and its slope is not
fn through(x: f64[n], at: int[m]) -> f64 = sum((x[at[i]] - 1)^3 * x[at[i]] + (x[at[i]] - 2)^2 for i)
let at = [0, 2, 2, 1]
let ones_ = [1.0, 2.0, 2.0]
print(jvp(fn(y) => grad(through, wrt=x)(y, at))(ones_, [1.0, 1.0, 1.0]).1, grad(fn(y) => sum(grad(through, wrt=x)(y, at)))(ones_))
print(hessian(fn(y) => through(y, at))(ones_))
# Of a search in a loop, the place of the winner is an int: nothing goes back through it.
fn path(a: f64[n, n]) -> f64 {
    var d = a[0]
    for t in 1:n {
        var e = zeros(f64, n)
        for j in 0:n {
            var best = -1e30
            for i in 0:n { best = max(best, d[i] + a[i, j]) }
            e[j] = best + a[t, j]
        }
        d = e
    }
    return max(d)
}
for n in [3, 5] { print(grad(path)([sin(1.0 * i * j + i) for i in 0:n, j in 0:n])) }
