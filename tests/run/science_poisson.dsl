# Poisson's equation on a square: the five-point matrix of index arrays, conjugate gradients; stiff chemistry (Robertson)
let n = 24
let h = 1 / (n + 1)
let place_of = reshape(arange(n * n), n, n)
let i = concat(flatten(place_of), concat(flatten(place_of[1:, :]), flatten(place_of[:-1, :])), concat(flatten(place_of[:, 1:]), flatten(place_of[:, :-1])))
let j = concat(flatten(place_of), concat(flatten(place_of[:-1, :]), flatten(place_of[1:, :])), concat(flatten(place_of[:, :-1]), flatten(place_of[:, 1:])))
let a = csr(n * n, n * n, i, j, concat(full(4 / h^2, n * n), full(-1 / h^2, len(i) - n * n)))
let x = linspace(h, 1 - h, n)
let exact = [sin(pi * p) * sin(2 * pi * q) for p in x, q in x]
let u = reshape(cg(fn(w) => times(a, w), flatten(5 * pi^2 * exact), tol=1e-10), n, n)
print(f"{max(abs(u - exact)):.4f}", len(a.value), norm(times(transposed(a), flatten(u)) - times(a, flatten(u))))

fn robertson(t: f64, y: f64[3]) -> f64[3] {
    let (slow, back, fast) = (0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1]^2)
    return [-slow + back, slow - back - fast, fast]
}
let y = ode_stiff(robertson, [1, 0, 0], concat([0.0], logspace(-5, 4, 20)), rtol=1e-6, atol=1e-10)
print(f"{y[20, 0]:.4f}", f"{y[20, 1]:.3e}", max(abs(sum(y, axis=1) - 1)) < 1e-9)
