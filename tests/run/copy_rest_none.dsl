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
