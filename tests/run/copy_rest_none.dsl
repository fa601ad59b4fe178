# Arrays so short, as the compiler knows, that the launch writes nothing of the copy
kernel step(p: out f64[n], u: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 2 and i < n - 2 { p[i] = 2 * u[i - 2] + 3 * u[i + 2] }
}
fn turned(u: f64[n]) -> f64[n] {
    var p = u
    launch step[n // 4 + 1, 4](p, u)
    return p + u
}
print(turned([3.0]), turned([3.0, 4.0]), turned([3.0, 4.0, 5.0, 6.0]), turned([3.0, 4.0, 5.0, 6.0, 7.0]))

# More threads than elements, behind a barrier: those that have none copy none
kernel halves(p: inout f64[n], u: f64[n]) {
    shared s: f64[8]
    let tx = thread.x
    let i = block.x * blockdim.x + tx
    s[tx] = if i < n { u[i] } else { 0.0 }
    barrier
    if i < n { p[i] = 0.5 * p[i] + s[(tx + 1) % 8] }
}
kernel some(p: out f64[n], u: f64[n]) {
    shared s: f64[8]
    let tx = thread.x
    let i = block.x * blockdim.x + tx
    s[tx] = if i < n { u[i] } else { 0.0 }
    barrier
    if i < n and i % 2 == 1 { p[i] = s[7 - tx] }
}
fn both(u: f64[n]) -> f64[n] {
    var p = u
    var q = u
    launch halves[ceildiv(n, 8), 8](p, u)
    launch some[ceildiv(n, 8), 8](q, u)
    return 100 * p + 10 * q + u
}
print(both([3.0, 4.0, 5.0]), both([1.0]), both([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]))
