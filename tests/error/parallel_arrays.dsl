fn ramp(a: f64, n: int) -> f64[n] = [a * i for i in 0:n]
fn f(a: f64[m], at: int[m], n: int) -> f64[m, n] {
    var x = zeros(f64, m, n)
    var y = zeros(f64, m, n)
    var z = zeros(f64, m, n)
    parallel for k in 1:m { x[k, :] = ramp(a[k], n) + x[k - 1, :] }
    parallel for k in 0:m { y[at[k], :] = ramp(a[k], n) }
    parallel for k in 0:m {
        let v = ramp(a[k], n)
        z[k, 0] = sum(v) + sum(z)
    }
    return x + y + z
}
print(f([1.0, 2.0], [1, 0], 5))
