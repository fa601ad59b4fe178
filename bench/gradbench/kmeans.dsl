# GradBench kmeans: the sum of squared distances to the nearest of k centroids, and Newton's step for it

fn distance(a: f64[d], b: f64[d]) -> f64 = sum((a[j] - b[j])^2 for j)

export fn cost(points: f64[n, d], centroids: f64[k, d]) -> f64 = 
    sum(min(sum((points[i, j] - centroids[c, j])^2 for j) for c) for i)

## The gradient divided by the diagonal of the hessian, which has nothing else
export fn dir(points: f64[n, d], centroids: f64[k, d]) -> f64[k, d] {
    let (slope, curvature) = jvp(grad(cost, wrt=centroids), wrt=centroids)(points, centroids, ones(f64, k, d))
    return slope / curvature
}

test "the step leads to the mean of the nearest points" {
    let points = randn(1, 60, 3)
    let centroids = points[57:, :]
    let nearest = [argmin([distance(p, c) for c in centroids]) for p in points]
    let step = dir(points, centroids)
    for c in 0:3 {
        let count = sum(if a == c { 1.0 } else { 0.0 } for a in nearest)
        for j in 0:3 {
            let mean = sum(if nearest[i] == c { points[i, j] } else { 0.0 } for i in 0:60) / count
            assert abs(centroids[c, j] - step[c, j] - mean) < 1e-12
        }
    }
    assert check_grad(fn(c) => cost(points, reshape(c, 3, 3)), flatten(centroids) + 0.01) < 1e-6
}
