# RUN: check -Wshadow
fn f(x: f64[n]) -> f64 {
    var total = 0.0
    for i in 0:n {
        let total = x[i]
        for i in 0:2 { print(i, total) }
    }
    if n > 3 { let _total = 1.0 }
    return total
}
print(f([1.0]))
