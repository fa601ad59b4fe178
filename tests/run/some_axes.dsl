# What depends on some indices of a launch: rows, columns, planes, what a block has in common; and their gradients
kernel soft(y: out f64[n, m], x: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m {
        var big = x[i, 0]
        for k in 1:m { big = max(big, x[i, k]) }
        var s = 0.0
        for k in 0:m { s += exp(x[i, k] - big) }
        y[i, j] = exp(x[i, j] - big) / s
    }
}
kernel columns(y: out f64[n, m], x: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i >= n { return }
    if j < m { y[i, j] = x[i, j] - sum(x[k, j] for k) / n }
}
kernel per_block(y: out f64[n, m], x: f64[n, m]) {
    let i = block.x
    let s = sum(x[i, k] * x[i, k] for k)
    for j in thread.x:m:5 { y[i, j] = x[i, j] / sqrt(s) }
}
kernel cube(y: out f64[l, n, m], x: f64[l, n, m], w: f64[l, m]) {
    let h = block.z
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m { y[h, i, j] = x[h, i, j] * sum(x[h, i]) + sum(w[h, k] * x[h, k % n, j] for k) }
}
fn go(x: f64[n, m], z: f64[l, n, m], w: f64[l, m]) -> f64 {
    var a = zeros(f64, n, m)
    var b = zeros(f64, n, m)
    var c = zeros(f64, n, m)
    var d = zeros(f64, l, n, m)
    launch soft[(ceildiv(m, 8), ceildiv(n, 4)), (8, 4)](a, x)
    launch columns[(ceildiv(m, 8), ceildiv(n, 4)), (8, 4)](b, x)
    launch per_block[n, 5](c, x)
    launch cube[(ceildiv(m, 8), ceildiv(n, 4), l), (8, 4, 1)](d, z, w)
    return sum(a^3) + sum(b^3) + sum(c^3) + sum(d^2)
}
fn par(x: f64[n, m]) -> f64 {
    var y = zeros(f64, n, m)
    parallel for i in 0:n, j in 0:m { y[i, j] = x[i, j] / (sum(x[i]) + 2) + x[i, j] * max(x[k, j] for k) }
    return sum(y^3)
}
fn ser(x: f64[n, m]) -> f64 {
    var y = zeros(f64, n, m)
    for i in 0:n { for j in 0:m { y[i, j] = x[i, j] / (sum(x[i]) + 2) } }
    return sum(y^3)
}
fn all_of(n: int, m: int, l: int) {
    let x = [f64((i * 7 + j * 3) % 11 - 4) / 8 for i in 0:n, j in 0:m]
    let z = [f64((i * 7 + j * 3 + h) % 11 - 4) / 8 for h in 0:l, i in 0:n, j in 0:m]
    let w = [f64((i * 7 + j * 3) % 5 - 1) / 8 for i in 0:l, j in 0:m]
    print(f"{go(x, z, w):.9g} {par(x):.9g} {ser(x):.9g}")
    let (a, b, c) = grad(go)(x, z, w)
    print(f"{sum(a^2):.9g} {sum(b^2):.9g} {sum(c^2):.9g} {sum(grad(par)(x)^2):.9g} {sum(grad(ser)(x)^2):.9g}")
}
all_of(10, 7, 3)
all_of(7, 13, 2)

# A launch that divides by what all of x gives: its gradient is linear in x, too, also where branches are around
kernel standard(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        if x[i] > 0.1 { y[i] = x[i] / sqrt(sum((x - mean(x))^2)) }
        else { y[i] = (x[i] - mean(x)) / std(x) }
    }
}
fn standardized(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch standard[ceildiv(n, 8), 8](y, x)
    return sum(y^3)
}
for n in [3, 20] {
    let x = [f64((i * 7) % 11 - 4) / 8 for i in 0:n]
    let g = grad(standardized)(x)
    let v = [f64((i * 5) % 7 - 3) / 4 for i in 0:n]
    let d = jvp(standardized)(x, v).1
    print(f"{standardized(x):.9g} {sum(g^2):.9g}", abs(d - sum(g * v)) < 1e-12)
}
# One value: its deviation is 0, and what is divided by it is nan, but not where no thread comes to
kernel guarded(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { if n > 1 { y[i] = x[i] / std(x) } else { y[i] = 2 * x[i] } }
}
fn careful(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch guarded[ceildiv(n, 8), 8](y, x)
    return sum(y^2)
}
for n in 1:3 { print(grad(careful)([f64(i + 1) for i in 0:n])) }
