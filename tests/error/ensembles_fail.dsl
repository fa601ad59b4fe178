# RUN: run
# One of the simulations fails: the message tells the calls around it, whichever thread it was in.
fn halves(a: f64, n: int, depth: int) -> f64[n] {
    let v = [a * i for i in 0:n]
    assert a < 0.85, f"a step of {a:.2f} is too large"
    if depth == 0 { return v }
    let w = halves(a, n, depth - 1)
    parallel for i in 0:n { assert w[i] >= 0, "negative" }
    return w * 0.5 + v
}
fn study(a: f64[m], n: int) -> f64[m, n] {
    var r = zeros(f64, m, n)
    for k in 0:m { r[k, :] = halves(a[k], n, 3) }
    return r
}
var a = linspace(0.1, 0.8, 40)
print(sum(study(a[0:20], 2000)))
a[27] = 0.86
print(sum(study(a, 2000)))
