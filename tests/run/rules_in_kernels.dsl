# Rules of functions with whole arrays, called in launches and parallel loops.  Those here give 10 times what is right where
# that shows that they are asked.
fn length(x: f64[n]) -> f64 = sqrt(sum(x^2))
vjp fn length(x: f64[n], y: f64, s: f64) -> f64[n] = if y > 0 { s * x / y } else { 0.0 * x }

# the same for all threads: once, before the launch
kernel scale(y: out f64[n], x: f64[n]) {
    let i = block.x * 4 + thread.x
    if i < n { y[i] = x[i] / (1 + length(x)) }
}
fn scaled(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch scale[ceildiv(n, 4), 4](y, x)
    return sum(y[i] * f64(i + 1) for i in 0:n)
}
fn scaled_loop(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    parallel for i in 0:n { y[i] = x[i] / (1 + length(x)) }
    return sum(y[i] * f64(i + 1) for i in 0:n)
}
fn scaled_each(x: f64[n]) -> f64 = sum(x[i] / (1 + length(x)) * f64(i + 1) for i in 0:n)
let x = [3.0, 0.0, 4.0]
print(grad(scaled)(zeros(f64, 3)), grad(scaled_loop)(zeros(f64, 3)), grad(scaled_each)(zeros(f64, 3)))
print(scaled(x) == scaled_loop(x), max(abs(grad(scaled)(x) - grad(scaled_each)(x))) < 1e-12)
print(check_grad(scaled, x) < 1e-6, check_grad(scaled_loop, x) < 1e-6)
print(jvp(scaled)(zeros(f64, 3), ones(f64, 3)), max(abs(hessian(scaled)(x) - hessian(scaled_each)(x))) < 1e-12)

# with a number of each thread, under branches, which keep it in its array; two values, one an int
fn look(t: f64[m], u: f64) -> (f64, int) = (t[int(u)] * u, int(u))
vjp fn look(t: f64[m], u: f64, s: (f64, int)) -> (f64[m], f64) =
    ([if j == int(u) { 10 * s.0 * u } else { 0.0 } for j in 0:m], 10 * s.0 * t[int(u)])
kernel all_looks(y: out f64[n], at: out int[n], t: f64[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        if x[i] < f64(m) {
            let (v, k) = look(t, x[i])
            y[i] = v
            at[i] = k
        } else { y[i] = x[i] }
    }
}
fn looks(t: f64[m], x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    var at = zeros(int, n)
    launch all_looks[ceildiv(n, 4), 4](y, at, t, x)
    return sum(y) + f64(sum(at))
}
print(looks([1.0, 2.0, 3.0], [0.5, 1.5, 2.5, 1.25, 7.0]))
print(grad(looks)([1.0, 2.0, 3.0], [0.5, 1.5, 2.5, 1.25, 7.0]))
print(grad(looks, wrt=x)([1.0, 2.0, 3.0], [0.5, 1.5, 2.5, 1.25, 7.0]))
print(jvp(looks)([1.0, 2.0, 3.0], [0.5, 1.5], ([1.0, 1.0, 0.0], [1.0, 1.0])))

# two indices, another function between, an element as argument, in a loop of the thread, a forward rule
fn blend(t: f64[m], a: f64, k: int) -> f64 = a^2 * t[k]
jvp fn blend(t: f64[m], a: f64, k: int, d: (f64[m], f64)) -> f64 = 10 * (2 * a * t[k] * d.1 + a^2 * d.0[k])
fn between(t: f64[m], w: f64[n, m], i: int, j: int) -> f64 = if i > 0 { blend(t, w[i, j], j) } else { t[j] }
kernel table(y: out f64[n, m], w: f64[n, m], t: f64[m], s: f64[1]) {
    let i = block.y * 2 + thread.y
    let j = block.x * 2 + thread.x
    if i < n and j < m {
        var sum = 0.0
        for k in 0:3 { sum += blend(t, s[0], 1) * f64(k) }
        y[i, j] = between(t, w, i, j) + sum
    }
}
fn tabled(w: f64[n, m], t: f64[m], s: f64[1]) -> f64 {
    var y = zeros(f64, n, m)
    launch table[(ceildiv(m, 2), ceildiv(n, 2)), (2, 2)](y, w, t, s)
    return sum(y)
}
let w = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
print(tabled(w, [1.0, 2.0, 3.0], [0.5]))
print(grad(tabled)(w, [1.0, 2.0, 3.0], [0.5]))
print(jvp(tabled, wrt=s)(w, [1.0, 2.0, 3.0], [0.5], [1.0]))

# one in another; a loop over time around the launch
kernel nested(y: out f64[n], x: f64[n], t: f64[m]) {
    let i = thread.x
    y[i] = blend(t, length(x), 1) + blend(t, x[i], 0)
}
fn repeated(x: f64[n], t: f64[m], steps: int) -> f64 {
    var y = x
    for k in 0:steps {
        var z = zeros(f64, n)
        launch nested[1, n](z, y, t)
        y = z / 10
    }
    return sum(y)
}
print(grad(repeated, wrt=x)([0.5, 1.0], [1.0, 2.0], 1), grad(repeated, wrt=x)([0.5, 1.0], [1.0, 2.0], 2))
