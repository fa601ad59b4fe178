# The edge of a tile goes where a neighbour writes
kernel right(y: out f64[n], x: f64[n]) {
    shared s: f64[34]
    let t = thread.x
    let i = block.x * 32 + t
    s[t + 1] = x[i]
    if t == 0 { s[0] = if i > 0 { x[i - 1] } else { 0.0 } }
    if t == 31 { s[33] = if i < n - 1 { x[i + 1] } else { 0.0 } }
    barrier
    y[i] = s[t] + s[t + 1] + s[t + 2]
}
kernel wrong(y: out f64[n], x: f64[n]) {
    shared s: f64[34]
    let t = thread.x
    let i = block.x * 32 + t
    s[t + 1] = x[i]
    if t == 0 { s[0] = if i > 0 { x[i - 1] } else { 0.0 } }
    if t == 31 { s[t] = if i < n - 1 { x[i + 1] } else { 0.0 } }
    barrier
    y[i] = s[t] + s[t + 1] + s[t + 2]
}
let x = [f64(k) for k in 0:64]
var y = zeros(f64, 64)
launch right[2, 32](y, x)
launch wrong[2, 32](y, x)
print(y)
