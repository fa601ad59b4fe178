# Several directions, the rows of a matrix: a comprehension of derivatives along each, which are computed once for each row
fn f(x: f64[n]) -> f64[n] = [exp(x[i]) * x[(i + 1) % n] for i in 0:n]
fn stepped(x: f64[n]) -> f64[n] {
    var y = x
    for t in 0:3 { y = [sin(y[i]) * y[(i + 1) % n] for i in 0:n] }
    return y
}
kernel squared(y: out f64[n], x: f64[n]) {
    let i = block.x * 4 + thread.x
    if i < n { y[i] = x[i]^2 * x[n - 1 - i] }
}
fn launched(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    launch squared[ceildiv(n, 4), 4](y, x)
    return y
}
fn energy(x: f64[n]) -> f64 = sum(x^3) * x[0]
let x = [0.5, 1.0, 1.5]
let d = [[1.0, 0.0, 0.0], [0.0, 1.0, -1.0], [2.0, 0.5, 0.25], [0.0, 0.0, 0.0]]
fn far(a: f64[k, n], b: f64[k, n]) -> f64 = max(abs(a - b))
print(far([jvp(f)(x, d[k]).1 for k in 0:4], d @ jacobian(f)(x).T) < 1e-12, far([vjp(f)(x, d[k]).1 for k in 0:4], d @ jacobian(f)(x)) < 1e-12)
print(far([jvp(stepped)(x, d[k]).1 for k in 0:4], d @ jacobian(stepped)(x).T) < 1e-12)
print(far([vjp(stepped)(x, d[k]).1 for k in 0:4], d @ jacobian(stepped)(x)) < 1e-12)
print(far([jvp(launched)(x, d[k]).1 for k in 0:4], d @ jacobian(launched)(x).T) < 1e-12)
print(far([vjp(launched)(x, d[k]).1 for k in 0:4], d @ jacobian(launched)(x)) < 1e-12)
print(far([hvp(energy)(x, d[k]) for k in 0:4], d @ hessian(energy)(x)) < 1e-12)
print(far([value_and_grad(energy)(d[k]).1 for k in 0:4], [grad(energy)(d[k]) for k in 0:4]))

# what is a part of what a call gives is computed once for each row, too
fn loud(x: f64[n]) -> (f64[n], f64) {
    print("row of", n)
    return (cumsum(x), x[0])
}
print([loud(d[k]).0 for k in 0:2])
