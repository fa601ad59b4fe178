# A sum over a tree whose turns no barrier separates
kernel right(total: out f64[b], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    let i = block.x * blockdim.x + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var half = 32
    while half > 0 {
        if t < half { s[t] += s[t + half] }
        barrier
        half //= 2
    }
    if t == 0 { total[block.x] = s[0] }
}
kernel wrong(total: out f64[b], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    let i = block.x * blockdim.x + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var half = 32
    while half > 0 {
        if t < half { s[t] += s[t + half] }
        half //= 2
    }
    if t == 0 { total[block.x] = s[0] }
}
let x = [f64(k) for k in 0:200]
var total = zeros(f64, 4)
launch right[4, 64](total, x)
print(total)
launch wrong[4, 64](total, x)
print(total)
