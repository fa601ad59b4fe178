fn find(x: f64[n], v: f64) -> int {
    for i in 0:n {
        if x[i] == v { return i }
    }
    return -1
}
fn find2(x: int[n, m], v: int) -> (int, int) {
    for i in 0:n {
        for j in 0:m {
            if x[i, j] < 0 { continue }
            if x[i, j] == v { return (i, j) }
            if x[i, j] > 100 { break }
        }
    }
    return (-1, -1)
}
fn first_big(x: f64[n], limit: f64) -> f64[n] {
    var y = x
    for i in 0:n {
        y[i] = 2 * y[i]
        if y[i] > limit { return y }
    }
    while y[0] < limit {
        y *= 2
        if y[0] == 16 { return y - 1 }
    }
    return y + 100
}
print(find([1.0, 2.0, 3.0], 3.0), find([1.0], 2.0))
print(find2([[1, 200, 5], [-5, 7, 5]], 5), find2([[1, 2]], 9))
print(first_big([1.0, 2.0, 3.0], 3.5))
print(first_big([1.0, 1.0, 1.0], 20.0), first_big([1.0, 1.0], 3.0))
