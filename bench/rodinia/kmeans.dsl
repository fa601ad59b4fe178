# Rodinia kmeans: each point finds its nearest centre; the centres move to the means of their points
# small: npoints=600 nfeatures=5 rounds=4
import "random.dsl"
const npoints = 204800
const nfeatures = 34
const nclusters = 5
const rounds = 10

## The nearest of the centres, for one point a thread; `feature` has a row for each feature.
kernel nearest(membership: inout i32[n], changed: inout int[1], feature: f32[nf, n], clusters: f32[k, nf]) {
    let point = block.x * blockdim.x + thread.x
    if point >= n { return }
    var index = i32(-1)
    var least: f32 = 3.4e38
    for c in 0:k {
        var dist: f32 = 0
        for j in 0:nf {
            let d = feature[j, point] - clusters[c, j]
            dist += d * d
        }
        if dist < least {
            least = dist
            index = i32(c)
        }
    }
    if membership[point] != index {
        membership[point] = index
        atomic changed[0] += 1
    }
}

## Feature rows, for threads that go through the points
kernel invert(feature: out f32[nf, n], points: f32[n, nf]) {
    let point = block.x * blockdim.x + thread.x
    if point < n {
        for j in 0:nf { feature[j, point] = points[point, j] }
    }
}

## Adds each point to the sum of its cluster.
kernel accumulate(sums: inout f64[k, nf], sizes: inout int[k], points: f32[n, nf], membership: i32[n]) {
    let point = block.x * blockdim.x + thread.x
    if point < n {
        let c = membership[point]
        atomic sizes[c] += 1
        for j in 0:nf { atomic sums[c, j] += f64(points[point, j]) }
    }
}

fn kmeans(points: f32[n, nf], k: int, rounds: int) -> (f32[k, nf], i32[n]) {
    var clusters = [points[c, j] for c in 0:k, j in 0:nf]
    var membership = full(i32(-1), n)
    var feature = zeros(f32, nf, n)
    launch invert[ceildiv(n, 256), 256](feature, points)
    for r in 0:rounds {
        var changed = zeros(int, 1)
        launch nearest[ceildiv(n, 256), 256](membership, changed, feature, clusters)
        if changed[0] == 0 { break }
        var sums = zeros(f64, k, nf)
        var sizes = zeros(int, k)
        launch accumulate[ceildiv(n, 256), 256](sums, sizes, points, membership)
        clusters = [if sizes[c] > 0 { f32(sums[c, j] / sizes[c]) } else { clusters[c, j] } for c in 0:k, j in 0:nf]
    }
    return (clusters, membership)
}

let points = [unit(mix(i * nfeatures + j)) * 4 + unit(mix(i)) * f32(j % 7) for i in 0:npoints, j in 0:nfeatures]
let start = time()
let (clusters, membership) = kmeans(points, nclusters, rounds)
let seconds = time() - start
print("check", sum(f64(clusters[c, j]) * (c * nfeatures + j + 1) for c in 0:nclusters, j in 0:nfeatures), sum(int(membership[i]) * (i % 1009) for i in 0:npoints))
print("time", seconds)
