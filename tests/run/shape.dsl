# Sizes as tuples: shape(x), and a tuple in the place of sizes
fn like(x: f64[n, m]) -> f64[n, m] {
    let (rows, cols) = shape(x)
    return zeros(f64, rows, cols) + 2 * x
}
fn odd(k: int) -> f64[k + 1] = [f64(i) for i in 0:k + 1]

kernel fill(y: out f64[n, m]) {
    let (rows, cols) = shape(y)
    if thread.x < rows { for j in 0:cols { y[thread.x, j] = thread.x + 10 * j } }
}

let x = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
print(shape(x), shape([1, 2, 3]), shape(x).1, like(x))
let s = (3, 2)
var a = zeros(f64, s)
launch fill[1, 4](a)
print(a, ones(int, s), full(0.5, s))
print(zeros(f64, shape(x)) + x, reshape(x, s), reshape(x, shape(x.T)))
let t = shape(x)
print(zeros(f64, t) + x, zeros(bool, shape(odd(3))))
print(shape(odd(int(x[1, 0]))))
var k = 2
k += 1
print(zeros(f64, shape(full(0.0, k, k + 1))))
