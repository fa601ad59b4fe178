# The hundred NumPy exercises, 26 to 50
# 26: a sum with a first value
assert sum(arange(5)) - 1 == 9 and reduce(fn(a, b) => a + b, 0, arange(5)) == 10
# 27: what is allowed with arrays of ints
let i = [1, 2, 3]
print(i^i, 2 << i >> 2, i < -i, 1im * i, i / 1 / 1)
# 28: divisions by zero
let zero = [0.0]
assert all(isnan(zero / zero)) and all(isinf(1 / zero)) and int(nan) == 0
# 29: away from zero
let u = 20 * rand(5, 10) - 10
assert all(sign(u) * ceil(abs(u)) == where(u < 0, floor(u), ceil(u)))
# 30: what two arrays have in common
let a = randint(6, 0, 10, 10)
let b = randint(7, 0, 10, 10)
let common = [v for v in unique(a) if any(v == b)]
assert all(any(v == w for w in b) for v in common) and len(common) > 0
# 31 (there are no warnings of values), 32
assert isnan(sqrt(-1.0)) and sqrt(-1 + 0im) == 1im
# 34: the days of a July
let july = [f"2016-07-{d:02d}" for d in 1:32]
print(july[0], july[30], len(july))
# 35: in place
var p = ones(f64, 3)
let q = full(2.0, 3)
p = (p + q) * (-p / 2)
print(p)
# 36: the part before the point, in four ways
let parts = 10 * rand(8, 10)
assert all(trunc(parts) == floor(parts)) and all(f64(int(parts)) == floor(parts)) and all(parts - parts % 1 == floor(parts)) and all(ceil(parts) - 1 == floor(parts))
# 37
print(zeros(int, 5, 5) + arange(5))
# 38: from what is made one by one
assert sum([k * k for k in 0:10]) == 285
# 39: the ends are left out
let between = linspace(0.0, 1.0, 12)[1:-1]
assert len(between) == 10 and between[0] > 0 and between[9] < 1
# 40
let sorted = sort(rand(9, 10))
assert all(diff(sorted) >= 0)
# 41: a short sum
assert reduce(fn(x, y) => x + y, 0, i) == 6
# 42
assert allclose(p, p + 1e-12) and not all(p == p + 1)
# 43 (what `let` binds does not vary), 44: to polar coordinates
let place = rand(10, 10, 2)
let (radius, angle) = (hypot(place[:, 0], place[:, 1]), atan2(place[:, 1], place[:, 0]))
assert allclose(radius * cos(angle), place[:, 0])
# 45: the greatest becomes 0
var most = rand(11, 10)
most[argmax(most)] = 0
assert min(most) == 0
# 46: a grid of structs
struct Point { x: f64, y: f64 }
let grid = [Point(s, t) for t in linspace(0.0, 1.0, 3), s in linspace(0.0, 1.0, 3)]
print(grid[0, 2], grid[2, 0].y)
# 47: Cauchy's matrix
let (x, y) = (f64(arange(8)), f64(arange(8)) + 0.5)
print(f"{det(1 / (x[:, newaxis] - y)):.3f}")
# 48: limits of types
print(smallest(i8), largest(i8), largest(i32), largest(int), largest(f32), epsilon(f32), largest(f64), epsilon(f64))
# 49: all of it
assert len(split(whole(zeros(int, 2000)))) == 2000
# 50: the nearest
let hundred = f64(arange(100))
let v = 100 * uniform(12, 0)
print(hundred[argmin(abs(hundred - v))] == round(v))
