fn qs(x: f64[n]) -> f64[n] {
    if n <= 1 { return x }
    let p = x[n // 2]
    let less = sum(if x[i] < p { 1 } else { 0 } for i in 0:n)
    var lo = zeros(f64, less)
    var hi = zeros(f64, n - less - 1)
    var a = 0
    var b = 0
    for i in 0:n {
        if i == n // 2 { continue }
        if x[i] < p { lo[a] = x[i]
            a += 1
        } else { hi[b] = x[i]
            b += 1
        }
    }
    return concat(concat(qs(lo), [p]), qs(hi))
}
print(qs([3.0, 1.0, 2.0, 5.0, 4.0, 9.0, 7.0]))
