fn f(x: f64[n], y: f64[m], A: f64[n, m]) -> f64 {
    let a = [x[i + 1] for i]
    let b = [1.0 for i]
    let c = [x[i] + y[i] for i]
    let d = [A[i, i] for i]
    let g = [1.0 for i in 5:2]
    let h = [x[i] for i in 0:n, j in 0:i]
    parallel for i in 0:n, j in 0:i { }
    return sum(a) + sum(b) + sum(c) + sum(d) + sum(g) + sum(h) + sum(x[2*k] for k)
}
let p = [1, 2, 3]
let q = [1, 2]
print([p[i] * q[i] for i], sum(p[i] for i, j))
