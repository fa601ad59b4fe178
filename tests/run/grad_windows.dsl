# Derivatives of the greatest of windows, and of products over them, that overlap or not: gathered; the place of the greatest is found once
fn agree(f: fn(f64[n]) -> f64, x: f64[n], v: f64[n], what: str) {
    let g = grad(f)(x)
    let d = jvp(f)(x, v).1
    let again = grad(fn(x) => sum(grad(f)(x) * v))(x)
    let far = jvp(fn(x) => sum(grad(f)(x) * v))(x, v).1
    let ok = abs(sum(g * v) - d) < 1e-12 * (1 + abs(d)) and abs(sum(again * v) - far) < 1e-11 * (1 + abs(far))
    print(what, ok, f"{d:.10g} {sum(g^2):.10g} {sum(again^2):.10g}")
}
fn windows(n: int) {
    let x = [f64((i * 7) % 11 - 5) / 8 for i in 0:n]
    let v = [f64((i * 5) % 7 - 3) / 4 for i in 0:n]
    print("n", n)
    agree(fn(x) => sum(([max(x[2*i + a] for a in 0:2) for i in 0:n // 2])^3), x, v, "maxpool 2")
    agree(fn(x) => sum(([max(x[2*i + a] for a in 0:3) for i in 0:(n-1) // 2])^3), x, v, "maxpool 3")
    agree(fn(x) => sum(([max(x[i + a]^2 for a in 0:3) for i in 0:n - 2])^3), x, v, "maxpool 1")
    agree(fn(x) => sum(([prod(1 + x[2*i + a] for a in 0:3) for i in 0:(n-1) // 2])^3), x, v, "prod 3")
    agree(fn(x) => sum(([prod(1 + x[i + a] for a in 0:3) for i in 0:n - 2])^3), x, v, "prod 1")
    agree(fn(x) => sum(([if i % 3 == 1 { max(x[2*i + a] for a in 0:2) } else { 1.0 } for i in 0:n // 2])^3), x, v, "maxpool if")
    agree(fn(x) => sum([x[i // 2 + j]^2 * (i - j) for i in 0:n // 2, j in 0:n // 2]), x, v, "hankel half")
}
for n in [7, 8, 13] { windows(n) }
