# Matrix product, f32
const n = 8192
const reps = 5

let a = [f32((i * n + j) * 7919 % 10007) / f32(5000 * n) for i in 0:n, j in 0:n]
var b = [f32((j * n + i) * 7919 % 10007) / f32(10007) for i in 0:n, j in 0:n]
var c = a @ b
let start = time()
for r in 0:reps {
    b = c
    c = a @ b
}
let seconds = (time() - start) / reps
print("check", sum(f64(c)))
print("time", seconds)
print("flops", 2 * n^3)
