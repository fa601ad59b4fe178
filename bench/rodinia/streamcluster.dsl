# Rodinia streamcluster, its pgain: what opening a new centre at point x would gain, and the move to it when it gains.
# The kernel has one thread for a point and coordinates by dimension, the host has them by point.
# small: npoints=300 ndims=7 candidates=6
import "random.dsl"
const npoints = 65536
const ndims = 64
const candidates = 20
const opening = 4000

struct Point { weight: f32, cost: f32, assign: i32 }

## Would point tid be nearer to x than to its centre?  lower[c]: what closing centre c saves; lower[k]: what moves to x save.
kernel gains(lower: inout f64[slots], moves: out u8[n], coord: f32[d, n], points: Point[n], table: i32[n], x: int, k: int) {
    let tid = block.x * blockdim.x + thread.x
    if tid >= n { return }
    var dist: f32 = 0
    for i in 0:d {
        let t = coord[i, tid] - coord[i, x]
        dist += t * t
    }
    let cost = dist * points[tid].weight
    let now = points[tid].cost
    if cost < now {
        moves[tid] = 1
        atomic lower[k] += f64(cost - now)
    } else {
        moves[tid] = 0
        atomic lower[table[points[tid].assign]] += f64(now - cost)
    }
}

## Points that move, or whose centre closes, go to x; `row` has the coordinates by point.
fn reassigned(points0: Point[n], moves: u8[n], closes: u8[n], row: f32[n, d], x: int) -> Point[n] {
    var points = points0
    parallel for i in 0:n {
        if moves[i] != 0 or closes[points[i].assign] != 0 {
            var dist: f32 = 0
            for j in 0:d {
                let t = row[i, j] - row[x, j]
                dist += t * t
            }
            points[i].cost = dist * points[i].weight
            points[i].assign = i32(x)
        }
    }
    return points
}

## Offers the points `tries` one after the other as centres; `price` is what a centre costs.
fn cluster(points0: Point[n], coord: f32[d, n], row: f32[n, d], tries: int[m], price: f64) -> (Point[n], int) {
    var points = points0
    var is_center = zeros(u8, n)
    is_center[0] = 1
    var k = 1
    for r in 0:m {
        let x = tries[r]
        if is_center[x] != 0 { continue }
        let count = cumsum([int(is_center[i]) for i in 0:n])
        let table = [i32(count[i] - 1) for i in 0:n]
        var lower = zeros(f64, k + 1)
        var moves = zeros(u8, n)
        launch gains[ceildiv(n, 512), 512](lower, moves, coord, points, table, x, k)
        var cost = price + lower[k]
        var closes = zeros(u8, n)
        var closing = 0
        for i in 0:n {
            if is_center[i] != 0 and lower[table[i]] + price > 0 {
                closes[i] = 1
                closing += 1
                cost -= lower[table[i]] + price
            }
        }
        if cost < 0 {
            points = reassigned(points, moves, closes, row, x)
            for i in 0:n {
                if closes[i] != 0 { is_center[i] = 0 }
            }
            is_center[x] = 1
            k += 1 - closing
        }
    }
    return (points, k)
}

let coord = [unit(mix(p * ndims + i)) + 2 * unit(mix((p % 37) * ndims + i + 99999999)) for i in 0:ndims, p in 0:npoints]
let row = [coord[i, p] for p in 0:npoints, i in 0:ndims]
let points = [Point(1 + f32(p % 3), (1 + f32(p % 3)) * sum((coord[i, p] - coord[i, 0])^2 for i in 0:ndims), 0) for p in 0:npoints]
let tries = [int(mix(r + 555) % u32(npoints)) for r in 0:candidates]
let start = time()
let (final, k) = cluster(points, coord, row, tries, f64(opening))
let seconds = time() - start
print("check", sum(f64(final[i].cost) for i in 0:npoints), sum(int(final[i].assign) * (i % 101) for i in 0:npoints), k)
print("time", seconds)
