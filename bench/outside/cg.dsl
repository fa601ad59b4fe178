# Conjugate gradients with a sparse matrix in CSR form: the 5-point Laplacian of a square, 25 iterations
const side = 500
const iterations = 25

fn spmv(start: i32[n + 1], column: i32[m], value: f64[m], x: f64[n]) -> f64[n] =
    [sum(value[k] * x[column[k]] for k in start[i]:start[i + 1]) for i in 0:n]

fn cg(start: i32[n + 1], column: i32[m], value: f64[m], b: f64[n]) -> f64[n] {
    var x = zeros(f64, n)
    var r = b
    var p = r
    var rr = dot(r, r)
    for t in 0:iterations {
        let ap = spmv(start, column, value, p)
        let alpha = rr / dot(p, ap)
        x += alpha * p
        r -= alpha * ap
        let next = dot(r, r)
        p = r + next / rr * p
        rr = next
    }
    return x
}

let n = side * side
var start = zeros(i32, n + 1)
var column = zeros(i32, 5 * n)
var value = zeros(f64, 5 * n)
var m = 0
for i in 0:side {
    for j in 0:side {
        let row = i * side + j
        if i > 0 { column[m] = i32(row - side); value[m] = -1; m += 1 }
        if j > 0 { column[m] = i32(row - 1); value[m] = -1; m += 1 }
        column[m] = i32(row)
        value[m] = 4
        m += 1
        if j < side - 1 { column[m] = i32(row + 1); value[m] = -1; m += 1 }
        if i < side - 1 { column[m] = i32(row + side); value[m] = -1; m += 1 }
        start[row + 1] = i32(m)
    }
}
let b = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
let columns = column[0:m]
let values = value[0:m]
let warm = cg(start, columns, values, b + 1)
print("warm", sum(warm))
let begin = time()
let x = cg(start, columns, values, b)
let seconds = time() - begin
print("check", sum(x), dot(x, x))
print("time", seconds)
