# Derivatives by elements at x[s*i + a], where s is known when the program runs: it may be negative, 0, or so large that products do not fit
fn agree(f: fn(f64[n]) -> f64, x: f64[n], v: f64[n], what: str) {
    let g = grad(f)(x)
    let d = jvp(f)(x, v).1
    let again = grad(fn(x) => sum(grad(f)(x) * v))(x)
    let far = jvp(fn(x) => sum(grad(f)(x) * v))(x, v).1
    let ok = abs(sum(g * v) - d) < 1e-12 * (1 + abs(d)) and abs(sum(again * v) - far) < 1e-11 * (1 + abs(far))
    print(what, ok, f"{d:.10g} {sum(g^2):.10g} {sum(again^2):.10g}")
}
fn known_when_it_runs(n: int, s: int, t: int, h: int) {
    let x = [f64((i * 7) % 11 - 5) / 8 for i in 0:n]
    let v = [f64((i * 5) % 7 - 3) / 4 for i in 0:n]
    let w = [0.5, -0.25, 1.0]
    print("n", n)
    agree(fn(x) => sum(sum(w[a] * x[s*i + a] for a)^2 for i in 0:(n - 3) // s + 1), x, v, "runtime stride")
    agree(fn(x) => sum(sum(w[a] * x[(n - 1) - s*i - a] for a)^2 for i in 0:(n - 3) // s + 1), x, v, "runtime from end")
    agree(fn(x) => sum(sum(w[a] * x[(n - 1) + t*i - a] for a)^2 for i in 0:(n - 3) // (0 - t) + 1), x, v, "negative")
    agree(fn(x) => sum(sum(w[a] * x[i + s*a] for a)^2 for i in 0:n - 2*s), x, v, "runtime dilated")
    agree(fn(x) => sum([x[h*i + j]^2 * (1 + i * j) for i in 0:n // h, j in 0:h]), x, v, "flat")
    agree(fn(x) => sum([x[h*i + j]^2 * (1 + i * j) for i in 0:n // h, j in 0:2]), x, v, "flat part")
    agree(fn(x) => sum([x[(h*i + j) * s + k]^2 * (1 + i * j - k) for i in 0:n // (h * s), j in 0:h, k in 0:s]), x, v, "flat 3")
    agree(fn(x) => sum([x[(s - 2) * i + j]^2 * (1 + i) for i in 0:n - 4, j in 0:4]), x, v, "zero 2")
}
known_when_it_runs(41, 2, -2, 5)
known_when_it_runs(40, 3, -3, 4)
known_when_it_runs(40, 3, -1, 7)

# A stride so large that products do not fit
fn far(x: f64[n], s: int) -> f64 = sum(x[s * i + a]^2 * (1 + i) for i in 0:1, a in 0:n)
print(grad(far, wrt=x)([1.0, 2.0, 3.0], 9223372036854775807), grad(far, wrt=x)([1.0, 2.0, 3.0], 0))
