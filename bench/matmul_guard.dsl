# A matrix product with a value of the row and guards that are ints, no sizes of the arrays, as kernels are written in CUDA
const n = 1024
const reps = 3

fn count(k: int) -> int = int(sum(ones(f64, k)))

kernel product(c: out f32[m, w], a: f32[m, p], b: f32[p, w], bias: f32[q], rows: int, columns: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < rows and j < columns {
        var s = bias[i]
        for k in 0:p { s += a[i, k] * b[k, j] }
        c[i, j] = s
    }
}

let m = count(n)
let a = [f32((i * n + j) * 7919 % 10007) / f32(10007) for i in 0:m, j in 0:m]
var b = [f32((j * n + i) * 7919 % 10007) / f32(10007) for i in 0:m, j in 0:m]
let bias = [f32(i % 10) for i in 0:count(n)]
var c = zeros(f32, m, m)
let grid = (ceildiv(m, 16), ceildiv(m, 16))
launch product[grid, (16, 16)](c, a, b, bias, count(n), count(n))
let start = time()
for r in 0:reps {
    b[r, r] = c[r, r] * f32(0.001)
    launch product[grid, (16, 16)](c, a, b, bias, count(n), count(n))
}
let seconds = (time() - start) / reps
print("check", sum(c))
print("time", seconds)
