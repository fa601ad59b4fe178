fn f(x: f64[n], k: int) -> f64[n] {
    let y = x
    y[0] = 1.0
    x[0] = 2.0
    k = 3
    n = 4
    for i in 0:n { i += 1 }
    return y
}
kernel g(x: f64[n], y: out f64[n]) {
    x[0] = 1.0
    n += 1
}
f = 3
sin = 2
undefined = 4
# told once of each
let twice = [1.0, 2.0]
twice[0] = 1
twice[1] += 1
fn thrice(a: f64[n]) -> f64 {
    a[0] = 1
    for i in 0:n { a[i] = 0 }
    return a[0]
}
print(thrice(twice))
