kernel scan(y: out f64[g, 64], x: f64[g, 64], total: out f64[g]) {
    shared s: f64[64]
    let t = thread.x
    let b = block.x
    s[2 * t] = x[b, 2 * t]
    s[2 * t + 1] = x[b, 2 * t + 1]
    var offset = 1
    var d = 32
    while d > 0 {
        barrier
        if t < d {
            let ai = offset * (2 * t + 1) - 1
            let bi = offset * (2 * t + 2) - 1
            s[bi] += s[ai]
        }
        offset *= 2
        d //= 2
    }
    barrier
    if t == 0 { total[b] = s[63]; s[63] = 0.0 }
    d = 1
    while d < 64 {
        offset //= 2
        barrier
        if t < d {
            let ai = offset * (2 * t + 1) - 1
            let bi = offset * (2 * t + 2) - 1
            let v = s[ai]
            s[ai] = s[bi]
            s[bi] += v
        }
        d *= 2
    }
    barrier
    y[b, 2 * t] = s[2 * t]
    y[b, 2 * t + 1] = s[2 * t + 1]
}
let x = [[f64(i * 7 % 10 + k) for i in 0:64] for k in 0:3]
var y = zeros(f64, 3, 64)
var total = zeros(f64, 3)
launch scan[3, 32](y, x, total)
print(y[1], total)
