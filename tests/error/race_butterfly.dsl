# Partners of a butterfly read what the other writes
kernel right(a: inout f64[n]) {
    shared s: f64[2, 32]
    let t = thread.x
    s[0, t] = a[t]
    barrier
    for k in 0:5 {
        let d = 1 << k
        let partner = if t // d % 2 == 0 { t + d } else { t - d }
        s[(k + 1) % 2, t] = s[k % 2, t] + s[k % 2, partner]
        barrier
    }
    a[t] = s[1, t]
}
kernel wrong(a: inout f64[n]) {
    shared s: f64[32]
    let t = thread.x
    s[t] = a[t]
    barrier
    for k in 0:5 {
        let d = 1 << k
        let partner = if t // d % 2 == 0 { t + d } else { t - d }
        s[t] += s[partner]
        barrier
    }
    a[t] = s[t]
}
var a = [f64(k) for k in 0:32]
launch right[1, 32](a)
launch wrong[1, 32](a)
print(a)
