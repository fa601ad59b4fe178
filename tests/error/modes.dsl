kernel f(a: out f64[n], b: inout f64[n], c: f64[n]) {
    let i = thread.x
    a[i] = a[i] + b[i]
    a[i] += 1.0
    c[i] = 1.0
    b[i] = sum(a)
    let m = len(a)
    a[0:2] = b[0:2]
    if i < m { b[i] = a[0] }
}
