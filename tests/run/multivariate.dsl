# Means and covariances of correlated normal numbers
let c = [[2.0, 0.6, 0.0], [0.6, 1.0, -0.3], [0.0, -0.3, 0.5]]
let x = multivariate_normal(3, [1.0, -2.0, 0.0], c, 200000)
print(shape(x), max(abs(mean(x, axis=0) - [1.0, -2.0, 0.0])) < 0.01, max(abs(cov(x.T) - c)) < 0.02)
print(all(multivariate_normal(3, [1.0, -2.0, 0.0], c, 5) == x[0:5]))
