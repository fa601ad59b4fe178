# Rows pass through a ring of four in shared memory; each turn of the inner loop must end with a barrier
kernel right(y: inout f64[n, 16], x: f64[n, 16]) {
    shared s: f64[4, 16]
    let c = thread.x
    let r = thread.y
    for row in 0:n - 3 {
        for pass in 0:2 {
            s[(row + r) % 4, c] = x[row + r, c] * (pass + 1)
            barrier
            if r == 0 { y[row, c] += s[0, 15 - c] + s[1, c] + s[2, c] + s[3, c] }
            barrier
        }
    }
}
kernel wrong(y: inout f64[n, 16], x: f64[n, 16]) {
    shared s: f64[4, 16]
    let c = thread.x
    let r = thread.y
    for row in 0:n - 3 {
        for pass in 0:2 {
            s[(row + r) % 4, c] = x[row + r, c] * (pass + 1)
            barrier
            if r == 0 { y[row, c] += s[0, 15 - c] + s[1, c] + s[2, c] + s[3, c] }
        }
    }
}
let x = [f64(i * 16 + j) for i in 0:20, j in 0:16]
var y = zeros(f64, 20, 16)
launch right[1, (16, 4)](y, x)
print(sum(y))
launch wrong[1, (16, 4)](y, x)
print(sum(y))
