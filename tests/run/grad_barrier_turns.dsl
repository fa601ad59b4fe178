# Loops around barriers whose number of turns is kept for the derivative: barriers before and behind its loop stay
kernel smooth(y: inout f64[n], x: f64[n]) {
    shared s: f64[8]
    shared left: int[1]
    let t = thread.x
    let i = block.x * 8 + t
    if t == 0 { left[0] = 3 + block.x }
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    while left[0] > 0 {
        let v = s[(t + 1) % 8]
        barrier
        s[t] = v + 0.5 * s[t]
        if t == 0 { left[0] -= 1 }
        barrier
    }
    if i < n { y[i] = s[t] + sum(s) }
}
fn f(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch smooth[ceildiv(n, 8), 8](y, x)
    return sum(y^2)
}
for n in [1, 7, 19] {
    let x = [f64(i % 5 - 1) for i in 0:n]
    let v = [f64(i % 3 - 1) for i in 0:n]
    let g = grad(f)(x)
    print(g, sum(g * v) == jvp(f)(x, v).1, sum(g * v) == (f(x + v) - f(x - v)) / 2)
}
