# Places from an array that a comprehension has made are known: one to one, or two to one.
kernel right(y: inout f64[n], x: f64[n], p: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[p[i]] = x[i] }
}
kernel right_too(y: inout f64[n, m], x: f64[n, m], p: int[n, m]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        for j in 0:m { y[p[i, j], j] = x[i, j] }
    }
}
fn unknown_size(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    launch right[ceildiv(n, 32), 32](y, x, [(i + 3) % n for i in 0:n])
    return y
}
kernel wrong(y: inout f64[n], x: f64[n], p: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[p[i]] = x[i] }
}
let n = 70
let x = [f64(i) for i in 0:n]
let q = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
var y = zeros(f64, n)
var z = zeros(f64, 3, 2)
launch right[ceildiv(n, 32), 32](y, x, [(i + 3) % n for i in 0:n])
launch right[ceildiv(n, 32), 32](y, x, [n - 1 - i for i in 0:n])
launch right_too[1, 4](z, q, [(i + j) % 3 for i in 0:3, j in 0:2])
launch wrong[ceildiv(n, 32), 32](y, x, [i // 2 for i in 0:n])
print(y, z, unknown_size(x))
