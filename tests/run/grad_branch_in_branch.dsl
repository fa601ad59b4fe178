# A branch in a branch that cannot be taken, in a loop that counts down: gcc 12.2 gets it wrong where it makes choices of branches.
fn f0(x: f64[n], y: f64[n], m: f64[n, n], a: f64) -> f64 {
    var v = x
    var w = y
    var z = m
    var r = 0.0
    var q1 = 0
    while q1 < 3 {
        q1 += 1
        r = tanh((tanh(v[1]) + tanh(y[(q1 - 1) % n])))
        if (q1 - 1) % n % 2 == 1 {
            v[0] *= 0.3 * sum((y * v))
            if (q1 - 1) % n % 2 == 0 {
                z[1] = (v[0] * y)
            }
        }
    }
    return r + sum(sin(v)) + 0.5 * sum(v * w) + 0.1 * sum(z)
}
print(grad(f0)([0.3, -0.6, 0.45], [0.2, 0.8, -0.35], [[0.4, -0.2, 0.1], [0.15, 0.3, -0.5], [0.25, 0.6, -0.1]], 0.37))
