# Sparse matrices, systems by products alone, distributions
let a = csr(3, 4, [2, 0, 0, 2, 0], [1, 3, 0, 1, 2], [5.0, 1.0, 2.0, 0.5, 7.0])
print(dense(a), a.start, a.column, a.value, times(a, [1.0, 2.0, 3.0, 4.0]), dense(transposed(a)))
let n = 200
let at = concat(arange(n), concat(arange(n - 1), arange(1, n)))
let beside = concat(arange(n), concat(arange(1, n), arange(n - 1)))
let laplace = csr(n, n, at, beside, concat(full(2.0, n), full(-1.0, 2 * n - 2)))
let b = rand(1, n)
let x = cg(fn(v) => times(laplace, v), b)
print(norm(times(laplace, x) - b) / norm(b) < 1e-9)
let skew = csr(n, n, at, beside, concat(full(4.0, n), concat(full(-1.0, n - 1), full(2.0, n - 1))))
let y = gmres(fn(v) => times(skew, v), b)
print(norm(times(skew, y) - b) / norm(b) < 1e-9, norm(gmres(fn(v) => [[0.0, 1.0], [1.0, 0.0]] @ v, [1.0, 2.0]) - [2.0, 1.0]) < 1e-12)
print(dense(csr(2, 2, zeros(int, 0), zeros(int, 0), zeros(f64, 0))))

let many = 20000
let g = gamma(1, 2.5, 2.0, many)
let small = gamma(2, 0.5, 1.0, many)
print(abs(mean(g) - 5) < 0.1, abs(variance(g) - 10) < 0.5, abs(mean(small) - 0.5) < 0.02, min(small) > 0)
let p = poisson(3, 4.0, many)
print(abs(mean(p) - 4) < 0.05, abs(variance(f64(p)) - 4) < 0.2, abs(mean(poisson(4, 2000.0, 200)) - 2000) < 12, sum(poisson(1, 0.0, 5)))
let q = binomial(5, 10, 0.3, many)
print(abs(mean(q) - 3) < 0.05, abs(variance(f64(q)) - 2.1) < 0.1, max(q) <= 10, abs(mean(exponential(6, 3.0, many)) - 3) < 0.1)
print(sort(permutation(7, 6)), sort(shuffled(1, [3, 1, 2])), all(choice(1, [5, 6], 50) >= 5), mean(f64(choice(2, [0, 1], many, [1.0, 3.0]))) > 0.73)
