# The library: orders, positions, integrals and products of arrays
let x = [3.0, 1.0, 2.0, 1.0]
print(cumprod([1, 2, 3, 4]), cumprod(x))
print(argsort(x), argsort([5, 4, 6]), argsort([0.0 / 0.0, 2.0, 1.0]), x[argsort(x)])
print(median(x), median([2.0]), quantile(x, 0.0), quantile(x, 1.0), quantile(x, 0.25), median([0.0 / 0.0, 1.0]))
print(quantile([-inf, inf], 0.0), quantile([1.0, inf], 1.0))
let s = [1.0, 2.0, 2.0, 4.0]
print(searchsorted(s, 2.0), searchsorted(s, [0.0, 3.0, 4.0, 5.0]), searchsorted([1, 3], 2))
print(interp(2.5, [1.0, 2.0, 4.0], [10.0, 20.0, 0.0]), interp([0.0, 1.0, 3.0, 9.0, 0.0 / 0.0], [1.0, 2.0, 4.0], [10.0, 20.0, 0.0]))
print(trapz([1.0, 2.0, 4.0], 0.5), trapz([1.0, 2.0, 4.0], [0.0, 1.0, 3.0]), trapz(zeros(f64, 0), 1.0), trapz([1.0], 2.0))
print(gradient([1.0, 4.0, 9.0, 16.0], 1.0), gradient([1.0, 2.0], 0.5))
print(bincount([0, 2, 2, 1], 4), bincount(zeros(int, 0), 2))
print(convolve([1.0, 2.0, 3.0], [0.0, 1.0, 0.5]), convolve([1, 2], [1]), convolve([1], [1, 2, 3]))
print(kron([[1, 2], [3, 4]], [[0, 1, 1]]))
print(cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), cross([1, 2, 3], [4, 5, 6]))
print(isclose(1.0, 1.0 + 1e-9), isclose(1.0, 1.1), isclose(1.0, 1.1, rtol=0.2), isclose(inf, inf), isclose(1.0, inf), isclose(0.0 / 0.0, 0.0 / 0.0))
print(allclose([1.0, 2.0], [1.0, 2.0 + 1e-9]), allclose([[1.0]], [[2.0]]), allclose([1.0], [1.5], atol=1.0))
# what is said in the place of functions that are not there
let a = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
print(f"{sqrt(eigh(a.T @ a).0[1]):.6f} {cholesky(a.T @ a).T[0, 0]:.6f}")
print(allclose(solve(a.T @ a, a.T) @ a, eye(2)), allclose(solve(a.T @ a, a.T @ [3.0, 7.0, 11.0]), [1.0, 1.0]))
let y = [1.0, 2.0, 4.0, 3.0]
print(f"{mean((x - mean(x)) * (y - mean(y))) / (std(x) * std(y)):.6f}")
print([x[i % len(x)] for i in 0:2 * len(x)], [x[i // 2] for i in 0:2 * len(x)], any(x == 2.0), sum(where(isnan(x), 0.0, x)))
print(prod(arange(1, 5 + 1)), tgamma(5 + 1.0), sort(argsort(rand(1, 5))))
var p = 12
var q = 18
while q != 0 { (p, q) = (q, p % q) }
print(p)
let w = [f64(i)^j for i in 0:4, j in 0:3]
let coef = solve(w.T @ w, w.T @ [1.0, 2.0, 5.0, 10.0])
print(allclose(coef, [1.0, 0.0, 1.0]), isclose(sum(coef[k] * 2.0^k for k in 0:len(coef)), 5.0))
# at a given point the given value, whatever its neighbours are
print(interp([0.0, 1.0], [0.0, 1.0], [1e17, 1.0]), interp(1.0, [0.0, 1.0], [1 / 0.0, 1.0]), logsumexp([-1 / 0.0, -1 / 0.0]))
print(convolve([f16(1.0), f16(2.0)], [f16(0.5)]), convolve([i8(1), i8(2)], [i8(3), i8(-1)]))
