# The hundred NumPy exercises, 51 to 75
# 51: structs in structs
struct Place { x: f64, y: f64 }
struct Color { r: f64, g: f64, b: f64 }
struct Dot { place: Place, color: Color }
let dots = [Dot(Place(k, 2 * k), Color(1, 0, 0)) for k in 0:10]
print(dots[3].place, sum(dots.color.r))
# 52: distances of points
let at = rand(1, 100, 2)
let distance = [norm(a - b) for a in at, b in at]
assert all(distance == distance.T) and max(abs(diag(distance))) == 0
# 53
let ints = i32(f32(arange(10)))
print(ints)
# 54: a file with missing values
save("numbers.csv", [[1.0, 2, 3, 4, 5], [6.0, nan, nan, 7, 8], [nan, nan, 9, 10, 11]])
let table: f64[rows, columns] = load("numbers.csv")
print(rows, columns, sum(isnan(table)))
# 55: places and values
let few = [[0, 1], [2, 3]]
for i in 0:2 {
    for j in 0:2 { print((i, j), few[i, j]) }
}
# 56: a bell over a square
let s = linspace(-1.0, 1.0, 10)
let bell = [exp(-hypot(a, b)^2 / 2) for b in s, a in s]
assert argmax(bell) == 44 or argmax(bell) == 45 or argmax(bell) == 54 or argmax(bell) == 55
# 57: three elements anywhere
var some = zeros(int, 100)
some[choice(2, arange(100), 3)] = 1
let anywhere = reshape(some, 10, 10)
assert sum(anywhere) == 3
# 58: without the means of the rows
let x = rand(3, 5, 10)
assert max(abs(mean(x - mean(x, axis=1, keepdims=true), axis=1))) < 1e-15
# 59: rows in the order of a column
let z = randint(4, 0, 10, 9)
let m = reshape(z, 3, 3)
assert all(diff(m[argsort(m[:, 1])][:, 1]) >= 0)
# 60: columns of zeros
print(any(all([[0, 1, 0], [0, 2, 3]] == 0, axis=0)))
# 61: the nearest of all
let near = flatten(at)[argmin(abs(flatten(at) - 0.5))]
assert abs(near - 0.5) < 0.02
# 62: one of (1, 3) and one of (3, 1)
print(reshape(arange(3), 3, 1) + reshape(arange(3), 1, 3))
# 63: an array with a name
struct Named { name: str, data: int[n] }
let named = Named("range_10", arange(10))
print(named.name, sum(named.data))
# 64, 65: added at places that are there more than once
var counts = ones(int, 10)
let which = randint(5, 0, 10, 20)
counts[which] += 1
assert all(counts == 1 + bincount(which, 10))
var sums = zeros(f64, 10)
sums[[1, 3, 9, 3, 4, 1]] += [1, 2, 3, 4, 5, 6]
print(sums)
# 66: how many colours
let image = reshape(randint(6, 0, 4, 32 * 32 * 3), 32 * 32, 3)
print(len(unique(image, axis=0)))
# 67: over two axes
let four = reshape(arange(2 * 3 * 4 * 5), 2, 3, 4, 5)
print(sum(four, axis=(2, 3)))
# 68: means of parts
let d = rand(7, 100)
let part = randint(8, 0, 10, 100)
var total = zeros(f64, 10)
total[part] += d
let means = total / bincount(part, 10)
assert abs(means[3] - mean(d[part == 3])) < 1e-14
# 69: the diagonal of a product
let (a, b) = (rand(9, 5, 5), rand(10, 5, 5))
assert allclose(sum(a * b.T, axis=1), diag(a @ b))
# 70: three zeros between
var wide = zeros(int, 17)
wide[::4] = [1, 2, 3, 4, 5]
print(wide)
# 71
let deep = ones(f64, 5, 5, 3)
assert all(deep * (2 * ones(f64, 5, 5))[:, :, newaxis] == 2)
# 72: two rows changed
var rows25 = reshape(arange(25), 5, 5)
(rows25[0], rows25[1]) = (rows25[1], rows25[0])
print(rows25[0:2])
# 73: the sides of triangles, each once
let faces = reshape(randint(11, 0, 100, 30), 10, 3)
let sides = [if j == 0 { min(f[k], f[(k + 1) % 3]) } else { max(f[k], f[(k + 1) % 3]) } for f in faces, k in 0:3, j in 0:2]
print(len(unique(reshape(sides, 30, 2), axis=0)) <= 30)
# 74: what has these counts
let c = bincount([1, 1, 2, 3, 4, 4, 6], 7)
print(repeat(arange(len(c)), c))
# 75: means of three in a row
let t = cumsum(concat([0.0], f64(arange(20))))
assert all((t[3:] - t[:-3]) / 3 == arange(1, 19))
print("done")
