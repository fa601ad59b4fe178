# k-means by newaxis, argmin along an axis and masks; principal components by svd and by eigh
let k = 3
let n = 300
let centres = [[0.0, 0.0], [5.0, 5.0], [0.0, 6.0]]
let points = centres[arange(n) % k] + 0.6 * randn(1, n, 2)
var c = points[0:k]
var label = zeros(int, n)
for turn in 0:50 {
    let old = c
    label = argmin(sum((points[:, newaxis, :] - c[newaxis, :, :])^2, axis=2), axis=1)
    for j in 0:k { c[j] = mean(points[label == j], axis=0) }
    if allclose(c, old) { break }
}
print(f"{c:.2f}", unique_counts(label), all(label == arange(n) % k))

let data = (randn(2, n, 2) * [3, 1]) @ randn(4, 2, 5) + 0.1 * randn(3, n, 5) + [1, 2, 3, 4, 5]
let centred = data - mean(data, axis=0)
let (_u, s, vt) = svd(centred)
let (w, _v) = eigh(centred.T @ centred / (n - 1))
print(allclose(s^2 / (n - 1), w[::-1]), sum(s[0:2]^2) > 0.99 * sum(s^2), allclose(std(centred @ vt.T, axis=0, ddof=1), s / sqrt(f64(n - 1))))
