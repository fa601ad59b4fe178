# dslc run -Wno-not-commutative few_sums.dsl: the function matters less than its order
# Sixteen elements or fewer combine from left to right, however many the run brings
fn noise(i: int) -> f64 = f64((i * 7919 + 13) % 1009) / 1009.0 - 0.4
fn compose(a: (f64, f64), b: (f64, f64)) -> (f64, f64) = (b.0 * a.0, b.0 * a.1 + b.1)
fn total(x: f64[n]) -> f64 = sum(x)
fn in_order(x: f64[n]) -> f64 {
    var s = 0.0
    for v in x { s += v }
    return s
}
arg lines: int = 41
let m = lines * (lines - 1) // 2
let start = [i32(i * (i - 1) // 2) for i in 0:lines + 1]
let col = [i32((e * 31 + 7) % lines) for e in 0:m + lines]
let val = [noise(e) for e in 0:m + lines]
let val32 = [f32(v) for v in val]
let x = [noise(3 * i + 1) for i in 0:lines]

# rows of 0 to 40 elements: gathered products, their largest, pairs, halves of them, ints, parts of every other one
let product = [sum(val[e] * x[col[e]] for e in start[i]:start[i + 1]) for i in 0:lines]
let rows = [in_order([val[e] * x[col[e]] for e in start[i]:start[i + 1]]) for i in 0:lines]
print(product[0:18], [product[i] == rows[i] for i in 0:18], product[20] == rows[20], product[18:])
print([sum(val32[e] for e in start[i]:start[i + 1]) for i in 0:lines])
print([max(val[e] for e in start[i]:start[i + 1]) for i in 1:lines], [sum(col[e] for e in start[i]:start[i + 1]) for i in 0:lines])
print([argmin(val[start[i]:start[i + 1]]) for i in 1:lines], [prod(1 + val[e] for e in start[i]:start[i + 1]) for i in 0:lines])
print([reduce(compose, (1.0, 0.0), (0.5 + val[e], val[e]) for e in start[i]:start[i + 1]).1 for i in 0:lines])
print([sum(val[2 * k] for k in 0:i) for i in 0:lines:3], [any(val[k] > 0.59 for k in 0:i) for i in 0:20])

# whole arrays, along rows and columns, boxes, sums of sums
print([total(val[0:k]) == in_order(val[0:k]) for k in 0:17], total(val[0:17]), total(val[0:25]), total(val))
for rows in [3, 16, 17] {
    for columns in [2, 9, 33] {
        let a = [noise(i * columns + j) for i in 0:rows, j in 0:columns]
        print(sum(a), sum(sum(a, axis=0)), sum(a, axis=1)[2], sum(a, axis=0)[1], sum(a * a, axis=1)[1],
              sum(sum(a[i, j] * x[j] for j in 0:columns) for i in 0:rows), max(a), argmax(a[1]))
    }
}
print(sum(val[i + j + k] for i in 0:3, j in 0:5, k in 0:7), sum(val[i * j] for i in 0:17, j in 0:16), dot(val[0:9], x[0:9]))
fn boxes(a: f64[n], r: int) -> f64 = sum(a[i + 2 * j + k] for i in 0:r, j in 0:r + 1, k in 0:r)
print(boxes(val, 3), boxes(val, 15), boxes(val, 17), sum([0.0 * -1 for i in 0:lines - 38]))
