kernel scan(y: out f64[n], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    let i = block.x * 64 + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var d = 1
    while d < 64 {
        let v = if t >= d { s[t - d] } else { 0.0 }
        barrier
        s[t] += v
        barrier
        d *= 2
    }
    if i < n { y[i] = s[t] }
}
kernel scan2(y: out f64[n], x: f64[n]) {
    shared s: f64[2, 64]
    let t = thread.x
    let i = block.x * 64 + t
    var from = 0
    s[0, t] = if i < n { x[i] } else { 0.0 }
    barrier
    var d = 1
    while d < 64 {
        let to = 1 - from
        s[to, t] = if t >= d { s[from, t] + s[from, t - d] } else { s[from, t] }
        barrier
        from = to
        d *= 2
    }
    if i < n { y[i] = s[from, t] }
}
let x = [f64(i * 7 % 10) for i in 0:100]
var y = zeros(f64, 100)
launch scan[2, 64](y, x)
print(y[63], y[99])
launch scan2[2, 64](y, x)
print(y[63], y[99])
