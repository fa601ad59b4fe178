kernel interleaved(total: out f64[b], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    let i = block.x * 64 + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var d = 1
    while d < 64 {
        if t % (2 * d) == 0 { s[t] += s[t + d] }
        barrier
        d *= 2
    }
    if t == 0 { total[block.x] = s[0] }
}
kernel interleaved_and(total: out f64[b], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    let i = block.x * 64 + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var d = 1
    while d < 64 {
        if t & (2 * d - 1) == 0 { s[t] += s[t + d] }
        barrier
        d *= 2
    }
    if t == 0 { total[block.x] = s[0] }
}
kernel strided(total: out f64[b], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    let i = block.x * 64 + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var d = 1
    while d < 64 {
        let k = 2 * d * t
        if k < 64 { s[k] += s[k + d] }
        barrier
        d *= 2
    }
    if t == 0 { total[block.x] = s[0] }
}
kernel sequential(total: out f64[b], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    let i = block.x * 64 + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var d = 32
    while d > 0 {
        if t < d { s[t] += s[t + d] }
        barrier
        d //= 2
    }
    if t == 0 { total[block.x] = s[0] }
}
kernel shifts(total: out f64[b], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    let i = block.x * 64 + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    for e in 0:6 {
        let d = 32 >> e
        if t < d { s[t] += s[t + d] }
        barrier
    }
    if t == 0 { total[block.x] = s[0] }
}
kernel powers(total: out f64[b], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    let i = block.x * 64 + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    for e in 0:6 {
        let d = 1 << e
        if t % (2 * d) == 0 { s[t] += s[t + d] }
        barrier
    }
    if t == 0 { total[block.x] = s[0] }
}
kernel sequential_dim(total: out f64[b], x: f64[n]) {
    shared s: f64[1024]
    let t = thread.x
    let i = block.x * blockdim.x + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var d = blockdim.x // 2
    while d > 0 {
        if t < d { s[t] += s[t + d] }
        barrier
        d >>= 1
    }
    if t == 0 { total[block.x] = s[0] }
}
kernel odd(total: out f64[b], x: f64[n]) {
    shared s: f64[1024]
    let t = thread.x
    let i = block.x * blockdim.x + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var m = blockdim.x
    while m > 1 {
        let half = (m + 1) // 2
        if t < m // 2 { s[t] += s[t + half] }
        barrier
        m = half
    }
    if t == 0 { total[block.x] = s[0] }
}
let x = [f64(i) for i in 0:100]
var total = zeros(f64, 2)
launch interleaved[2, 64](total, x)
launch interleaved_and[2, 64](total, x)
launch strided[2, 64](total, x)
launch sequential[2, 64](total, x)
launch shifts[2, 64](total, x)
launch powers[2, 64](total, x)
launch sequential_dim[2, 64](total, x)
launch odd[2, 64](total, x)
print(total)
