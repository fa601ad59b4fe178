# The hundred NumPy exercises, 76 to 100
# 76: what a window sees
let windows = [arange(10)[i:i + 3] for i in 0:8]
print(windows[0], windows[7])
# 77: in place
var yes = [true, false]
yes = not yes
var r = [1.0, -2.0]
r = -r
print(yes, r)
# 78, 79: from points to lines
fn from_line(p0: f64[2], p1: f64[2], p: f64[2]) -> f64 {
    let t = p1 - p0
    return abs(t[0] * (p[1] - p0[1]) - t[1] * (p[0] - p0[0])) / norm(t)
}
let (p0, p1, p) = (20 * rand(1, 10, 2) - 10, 20 * rand(2, 10, 2) - 10, 20 * rand(3, 10, 2) - 10)
let one = [from_line(p0[k], p1[k], p[0]) for k in 0:10]
let all_of = [from_line(p0[k], p1[k], q) for q in p, k in 0:10]
assert all(all_of[0] == one) and abs(from_line([0.0, 0.0], [1.0, 0.0], [5.0, 3.0]) - 3) < 1e-15
# 80: a part around a place, filled up
fn around(z: T[n, m], i: int, j: int, half: int, fill: T) -> T[k, l] = pad(z, half, fill)[i:i + 2 * half + 1, j:j + 2 * half + 1]
print(around(reshape(arange(100), 10, 10), 0, 9, 1, -1))
# 81
print([arange(1, 15)[i:i + 4] for i in 0:11][10])
# 82
print(rank(rand(4, 10, 3) @ rand(5, 3, 10)))
# 83: the most frequent
print(argmax(bincount([1, 5, 5, 2, 5, 1], 10)))
# 84: all blocks of 3 by 3
let z = randint(6, 0, 5, 100)
let m = reshape(z, 10, 10)
let blocks = [m[i:i + 3, j:j + 3] for i in 0:8, j in 0:8]
assert shape(blocks) == (8, 8, 3, 3) and all(blocks[2, 3] == m[2:5, 3:6])
# 85, clumsy: a symmetric matrix keeps so by a function
fn set_both(s: T[n, n], i: int, j: int, v: T) -> T[n, n] {
    var t = s
    t[i, j] = v
    t[j, i] = v
    return t
}
let symmetric = set_both(zeros(f64, 5, 5), 2, 3, 42)
assert symmetric[3, 2] == 42
# 86: a sum of products
let (many, vectors) = (ones(f64, 10, 20, 20), ones(f64, 10, 20, 1))
assert all(sum(many @ vectors, axis=0) == 200)
# 87: sums of blocks
let ones16 = ones(f64, 16, 16)
print(sum(reshape(ones16, 4, 4, 4, 4), axis=(1, 3)))
# 88: Life
fn step(life: int[n, k]) -> int[n, k] {
    let beside = sum([roll(life, i, j) for i in -1:2, j in -1:2], axis=(0, 1)) - life
    return where(beside == 3 or (life == 1 and beside == 2), 1, 0)
}
var glider = zeros(int, 8, 8)
glider[0:3, 0:3] = [[0, 1, 0], [0, 0, 1], [1, 1, 1]]
let later = step(step(step(step(glider))))
assert all(later == roll(glider, 1, 1))
# 89: the greatest five
print(sort(arange(100))[-5:], argsort(f64(arange(100)))[-5:])
# 90, clumsy: each with each, of as many as are written
print(reshape([[a, b, c] for a in [1, 2, 3], b in [4, 5], c in [6, 7]], 12, 3)[0:3])
# 91: records of columns
struct Record { name: str, height: f64, weight: f64 }
let names = ["Hello", "World"]
let sizes = [[2.5, 3.0], [3.6, 2.0]]
print([Record(names[k], sizes[k, 0], sizes[k, 1]) for k in 0:2])
# 92: cubes in three ways
let x = rand(7, 1000)
assert all(x^3 == x * x * x) and allclose([exp(3 * log(v)) for v in x], x^3)
# 93: rows that have something of each row of another
let (a, b) = (reshape(randint(8, 0, 5, 24), 8, 3), reshape(randint(9, 0, 5, 4), 2, 2))
let rows = nonzero([all(any(any(v == w for w in a[i]) for v in b[j]) for j in 0:2) for i in 0:8])
assert len(rows) <= 8
# 94: rows whose elements are not all the same
let c = reshape(randint(10, 0, 3, 30), 10, 3)
let unequal = c[any(c != c[:, 0:1], axis=1)]
assert all(max(unequal, axis=1) > min(unequal, axis=1))
# 95: bits
print([(v >> (7 - k)) & 1 for v in [0, 1, 2, 3, 15, 16, 32, 64, 128], k in 0:8][4])
# 96: rows, each once
print(unique([[1, 0, 1], [0, 1, 1], [1, 0, 1], [0, 0, 1]], axis=0))
# 97: sums over indices
let (u, v) = ([1.0, 2.0], [3.0, 4.0])
print(sum(u), u * v, sum(u[i] * v[i] for i), [u[i] * v[j] for i, j])
# 98: equal steps along a path
let phi = linspace(0.0, 6 * pi, 500)
let (px, py) = (phi * cos(phi), phi * sin(phi))
let way = concat([0.0], cumsum(hypot(diff(px), diff(py))))
let even = linspace(0.0, way[499], 200)
let (qx, qy) = (interp(even, way, px), interp(even, way, py))
let paces = hypot(diff(qx), diff(qy))
assert max(paces[9:]) / min(paces[9:]) < 1.01
# 99: rows of whole numbers that sum to n
let draws = [[1.0, 0, 3, 8], [2.0, 0, 1, 1], [1.5, 2.5, 1, 0]]
print(draws[all(draws % 1 == 0, axis=1) and sum(draws, axis=1) == 4])
# 100: where the mean lies, by draws
let sample = randn(11, 100)
let again = [mean(sample[randint(k, 0, 100, 100)]) for k in 0:1000]
let (low, high) = (quantile(again, 0.025), quantile(again, 0.975))
assert low < mean(sample) and mean(sample) < high and high - low < 0.5
print("done")
