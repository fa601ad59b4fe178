# Arrays returned from many places, with sizes known from the start
fn pick(x: f64[n], k: int) -> f64[n] {
    for i in 0:k {
        if i == 2 { return x * 10 }
        var y = x
        while y[0] < 3 {
            y += 1
            if y[n - 1] == 5 { return y }
        }
    }
    if k < 0 { return zeros(f64, n) }
    return -x
}
print(pick([1.0, 2.0], -1), pick([1.0, 2.0], 0), pick([1.0, 2.0], 1), pick([1.0, 2.0], 5), pick([1.0, 3.0], 5))
