# Matrix product, f32, against a direct call of BLAS
const n = 1024
const reps = 3

let a = [f32((i * n + j) * 7919 % 10007) / f32(10007) for i in 0:n, j in 0:n]
var b = [f32((j * n + i) * 7919 % 10007) / f32(10007) for i in 0:n, j in 0:n]
var c = a @ b
let start = time()
for r in 0:reps {
    b[r, r] = c[r, r] * f32(0.001)
    c = a @ b
}
let seconds = (time() - start) / reps
print("check", sum(c))
print("time", seconds)
