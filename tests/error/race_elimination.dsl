# Elimination that also changes the row it subtracts
fn right(a: f64[n, n]) -> f64[n, n] {
    var u = a
    for k in 0:n {
        parallel for i in k + 1:n {
            let f = u[i, k] / u[k, k]
            for j in k:n { u[i, j] -= f * u[k, j] }
        }
    }
    return u
}
fn wrong(a: f64[n, n]) -> f64[n, n] {
    var u = a
    for k in 0:n {
        parallel for i in k:n {
            let f = u[i, k] / u[k, k]
            for j in k:n { u[i, j] -= f * u[k, j] }
        }
    }
    return u
}
let a = [if p == q { 9.0 } else { 1.0 } for p in 0:4, q in 0:4]
print(right(a))
print(wrong(a))
