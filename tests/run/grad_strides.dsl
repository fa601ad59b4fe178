# Derivatives by elements at indices with factors, x[2*i + a]: gathered, an index is solved for and the others go through those that leave
# a multiple of the factor. Sizes that strides do not divide
fn agree(f: fn(f64[n]) -> f64, x: f64[n], v: f64[n], what: str) {
    let g = grad(f)(x)
    let d = jvp(f)(x, v).1
    let again = grad(fn(x) => sum(grad(f)(x) * v))(x)
    let far = jvp(fn(x) => sum(grad(f)(x) * v))(x, v).1
    let ok = abs(sum(g * v) - d) < 1e-12 * (1 + abs(d)) and abs(sum(again * v) - far) < 1e-11 * (1 + abs(far))
    print(what, ok, f"{d:.10g} {sum(g^2):.10g} {sum(again^2):.10g}")
}
fn strides(n: int) {
    let x = [f64((i * 7) % 11 - 5) / 8 for i in 0:n]
    let v = [f64((i * 5) % 7 - 3) / 4 for i in 0:n]
    let w = [0.5, -0.25, 1.0]
    print("n", n)
    agree(fn(x) => sum(sum(w[a] * x[2*i + a] for a)^2 for i in 0:(n - 3) // 2 + 1), x, v, "strided")
    agree(fn(x) => sum(sum(w[a] * x[5*i + a] for a)^2 for i in 0:(n - 3) // 5 + 1), x, v, "strided far")
    agree(fn(x) => sum(sum(w[a] * x[n - 1 - 2*i - a] for a)^2 for i in 0:(n - 3) // 2 + 1), x, v, "from end")
    agree(fn(x) => sum(sum(w[a] * x[i + 2*a] for a)^3 for i in 0:n - 4), x, v, "dilated")
    agree(fn(x) => sum(sum(w[a] * x[2*i + 2*a] for a)^3 for i in 0:(n - 5) // 2 + 1), x, v, "strided dilated")
    agree(fn(x) => sum(sum(w[a] * x[2*i + 3*a] for a)^3 for i in 0:(n - 7) // 2 + 1), x, v, "2 and 3")
    agree(fn(x) => sum(sum(w[a] * w[b] * x[2*i + a + b] for a, b in 0:2)^3 for i in 0:(n - 4) // 2 + 1), x, v, "three")
    agree(fn(x) => sum([x[2*i]^2 * x[2*i + 1] * (1 + i) for i in 0:n // 2]), x, v, "pairs")
    agree(fn(x) => sum([x[2*i]^2 * (1 + i) for i in 0:(n + 1) // 2]), x, v, "evens")
    agree(fn(x) => sum([x[n - 1 - 3*i]^3 * (1 + i) for i in 0:(n + 2) // 3]), x, v, "evens from end")
    agree(fn(x) => sum([x[i + 2*j]^2 * (i - j) for i in 0:4, j in 0:n // 2 - 2]), x, v, "both")
    agree(fn(x) => sum([x[i + j]^2 * (i - j) for i in 0:n // 2, j in 0:n // 2]), x, v, "hankel")
}
for n in [7, 8, 9, 24] { strides(n) }
