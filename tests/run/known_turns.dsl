# Loops of blocks whose turns can be counted beforehand: trees that halve, scans that double, and their derivatives
const B = 16

kernel sums(out: out f64[b], x: f64[n]) {
    shared s: f64[B]
    let t = thread.x
    let i = block.x * B + t
    s[t] = if i < n { x[i] * x[i] } else { 0.0 }
    barrier
    var half = blockdim.x // 2
    while half > 0 {
        if t < half { s[t] += s[t + half] }
        barrier
        half = half >> 1
    }
    if t == 0 { out[block.x] = s[0] }
}
# Blelloch's scan: up, the root to 0, down
kernel scan(y: out f64[n], x: f64[n]) {
    shared s: f64[2 * B]
    let t = thread.x
    s[2 * t] = if 2 * t < n { x[2 * t] } else { 0.0 }
    s[2 * t + 1] = if 2 * t + 1 < n { x[2 * t + 1] } else { 0.0 }
    var offset = 1
    var d = B
    while d > 0 {
        barrier
        if t < d { s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1] }
        offset *= 2
        d = d // 2
    }
    if t == 0 { s[2 * B - 1] = 0 }
    d = 1
    while d < 2 * B {
        offset = offset // 2
        barrier
        if t < d {
            let left = offset * (2 * t + 1) - 1
            let right = offset * (2 * t + 2) - 1
            let kept = s[left]
            s[left] = s[right]
            s[right] += kept
        }
        d *= 2
    }
    barrier
    if 2 * t < n { y[2 * t] = s[2 * t] }
    if 2 * t + 1 < n { y[2 * t + 1] = s[2 * t + 1] }
}

fn norm2(x: f64[n]) -> f64 {
    var out = zeros(f64, ceildiv(n, B))
    launch sums[ceildiv(n, B), B](out, x)
    return sum(out)
}
fn before(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    launch scan[1, B](y, x)
    return y
}
fn weights(n: int) -> f64[n] = [f64(i % 5) - 1.5 for i in 0:n]

for n in [1, 16, 29, 32] {
    let x = [f64((i * 7) % 11 - 4) / 4 for i in 0:n]
    let w = weights(n)
    let g = grad(fn(x) => sum(w * before(x)^2))(x)
    let h = grad(fn(x) => sum([w[i] * sum(x[j] for j in 0:i)^2 for i in 0:n]))(x)
    print(n, norm2(x) == sum(x^2), max(abs(grad(norm2)(x) - 2 * x)), sum(before(x)), max(abs(g - h)))
}
# In plain loops
fn shrinks(y: f64, h: f64) -> f64 {
    var z = y
    var step = 1.0
    while step > 0.1 {
        z += h * step * sin(z)
        step *= 0.5
    }
    return z
}
print(f"{shrinks(0.5, 0.25):.9g} {grad(shrinks)(0.5, 0.25):.9g}")
