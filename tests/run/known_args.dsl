# Functions all of whose calls bring the same sizes and scalars, and some whose calls do not
fn smooth(x: f64[n], steps: int, weight: f64) -> f64[n] {
    var y = x
    for t in 0:steps {
        let z = y
        for i in 1:n - 1 { y[i] = weight * (z[i - 1] + z[i + 1]) + (1 - 2 * weight) * z[i] }
    }
    return y
}
kernel fold_in(s: inout f64[n], x: f64[m], k: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n { s[i] += x[i % m] * k }
}
fn folded(s0: f64[n], x: f64[m], k: int) -> f64[n] {
    var s = s0
    launch fold_in[ceildiv(n, 4), 4](s, x, k)
    return s
}
fn descend(x: f64[n], k: int) -> f64 {
    if k == 0 { return x[n - 1] }
    return descend(x, k - 1) + x[k % n]
}
fn ends(x: f64[n, m]) -> f64[m] = [x[0, j] + x[n - 1, j] for j in 0:m]
let a = [f64(i * i % 7) for i in 0:10]
print(smooth(a, 3, 0.25), smooth(a + 1, 3, 0.25))
print(folded(a, [1.0, 2.0, 3.0], 2), folded(a, [1.0, 2.0], 2))
print(descend(a, 12), descend(a * 2, 12))
let k = size(a, 0) // 2
let b = [[f64(i - j) for j in 0:k] for i in 0:3]
print(ends(b), ends(b * 2), ends(zeros(f64, 1, 5)))
