# Masks, updates through arrays of indices, filters
var x = [3.0, -1.0, 2.0, -5.0]
let a = [[1, 2, 3], [4, 5, 6]]
print(x[x > 0], sum(x[x > 0]), x[[true, false, false, true]], x[x > 9])
print(a[a % 2 == 0], a[:, [true, false, true]], a[[false, true]])
x[x < 0] = 0
print(x)
x[x > 0] *= 2
print(x)
x[x > 0] = [7, 8]
print(x)
x[[0, 0, 1]] += 1
print(x)
x[[0, 2]] -= [1, 2]
print(x)
var b = zeros(f32, 2, 3)
b[a > 3] = 1
b[a == 1] += 0.5
print(b)
b[a > 4] = [f32(3), 4]
b[a > 5] ^= 2
print(b)
fn histogram_of(k: int[n], bins: int) -> int[bins] {
    var h = zeros(int, bins)
    h[k] += 1
    return h
}
print(histogram_of([i * i % 5 for i in 0:20], 5))
struct Body { x: f64[n], n: int }
var body = Body([1.0, 2.0, 3.0], 3)
body.x[body.x > 1] = 0.5
print(body)
fn positive(v: f64[n]) -> f64[m] = v[v > 0]
print(positive([1.0, -1.0, 4.0]), len(positive(-x)))

print([v * 2 for v in x if v > 5], [i for i in 0:10 if i % 3 == 0], [i for i in 2:20:5 if i > 2])
print(sum(1 for v in x if v > 5), max(i for i in 0:10 if i % 4 == 1), [sum(row) for row in a if row[0] > 1])
let found = [v for v in x if v > 100]
print(len(found), found)

fn counted(n: int, q: int) -> int {
    var w = n
    var h = 0
    while w > 0 {
        w -= 1
        h += sum(k for k in w:n if k > q)
        h += sum(k * k for k in max(w - 2, 0):min(w + 3, n) if k > q)
    }
    return h
}
print(counted(4, 1), [v for v in [1, 2, 3] if v > 1], min(k for k in 0:9 if k % 4 == 3))
var bound = 4
bound -= 1
print([k for k in 0:bound if k > 1], [j for j in 0:bound][[k > 0 for k in 0:bound]])
