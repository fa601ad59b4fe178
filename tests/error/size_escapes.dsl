fn f(x: f64[n]) -> f64 {
    let ragged = [x[0:i] for i in 0:n]
    let either = if n > 3 {
        let k = count(x)
        x[0:k]
    } else {
        let m = count(x)
        x[0:m]
    }
    return sum(either) + sum(ragged)
}
fn count(x: f64[n]) -> int {
    var c = 0
    for i in 0:n { if x[i] > 0 { c += 1 } }
    return c
}
