# Rodinia gaussian: elimination column by column with two launches, back substitution on the host
# small: n=40
const n = 1024
const reps = 1

## The multipliers of column t
kernel fan1(m: inout f32[n, n], a: f32[n, n], t: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n - 1 - t {
        m[i + t + 1, t] = a[i + t + 1, t] / a[t, t]
    }
}

## Takes row t from the rows below it.
kernel fan2(a: inout f32[n, n], b: inout f32[n], m: f32[n, n], t: int) {
    let x = block.x * blockdim.x + thread.x
    let y = block.y * blockdim.y + thread.y
    if x < n - 1 - t and y < n - t {
        a[x + 1 + t, y + t] -= m[x + 1 + t, t] * a[t, y + t]
        if y == 0 {
            b[x + 1 + t] -= m[x + 1 + t, t] * b[t]
        }
    }
}

fn solution(a0: f32[n, n], b0: f32[n]) -> f32[n] {
    var a = a0
    var b = b0
    var m = zeros(f32, n, n)
    for t in 0:n - 1 {
        launch fan1[ceildiv(n, 256), 256](m, a, t)
        launch fan2[(ceildiv(n, 16), ceildiv(n, 16)), (16, 16)](a, b, m, t)
    }
    var x = zeros(f32, n)
    for i in 0:n {
        let row = n - i - 1
        x[row] = b[row]
        for j in 0:i {
            x[row] -= a[row, n - j - 1] * x[n - j - 1]
        }
        x[row] = x[row] / a[row, row]
    }
    return x
}

let a = [f32(10 * exp(-0.01 * abs(i - j))) for i in 0:n, j in 0:n]
let b = ones(f32, n)
var x = zeros(f32, n)
let start = time()
for r in 0:reps { x = solution(a, b + f32(r)) }
let seconds = (time() - start) / reps
print("check", sum(f64(x[i]) * (1 + i % 3) for i in 0:n), x[n // 2])
print("time", seconds)

