# k-means in whole-array form: nearest centre of each point by argmin, new centres by masked means
const n = 100000
const d = 8
const k = 16
const rounds = 5

fn nearest(points: f64[n, d], centres: f64[k, d]) -> int[n] =
    [argmin([sum((points[i, a] - centres[c, a])^2 for a in 0:d) for c in 0:k]) for i in 0:n]

fn means(points: f64[n, d], label: int[n]) -> f64[k, d] {
    var sums = zeros(f64, k, d)
    var count = zeros(f64, k)
    for i in 0:n {
        sums[label[i]] += points[i]
        count[label[i]] += 1
    }
    return [sums[c, a] / max(count[c], 1.0) for c in 0:k, a in 0:d]
}

fn clusters(points: f64[n, d]) -> f64[k, d] {
    var centres = points[0:k]
    for t in 0:rounds { centres = means(points, nearest(points, centres)) }
    return centres
}

let points = [f64((i * d + a)^2 % 1000003) / 1000003 for i in 0:n, a in 0:d]
let warm = clusters(points + 1)
print("warm", sum(warm))
let start = time()
let centres = clusters(points)
let seconds = time() - start
print("check", sum(centres), sum(centres^2))
print("time", seconds)
