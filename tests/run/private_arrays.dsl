kernel poly(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    var p: f64[4]
    p[0] = 1.0
    for k in 1:4 { p[k] = p[k - 1] * x[i] }
    var q = p
    q[0] = 0.0
    y[i] = p[0] + 2 * p[1] + 3 * p[2] + 4 * p[3] - q[0]
}
kernel best(idx: out int[n], x: f64[n, 3]) {
    let i = thread.x
    let w = [1.0, -1.0, 0.5]
    var score: f64[3]
    for k in 0:3 { score[k] = x[i, k] * w[k] }
    var b = 0
    for k in 1:3 {
        if score[k] > score[b] { b = k }
    }
    idx[i] = b
}
var y = zeros(f64, 5)
launch poly[2, 4](y, [f64(i) for i in 0:5])
print(y)
var idx = zeros(int, 3)
launch best[1, 3](idx, [[3.0, 1.0, 2.0], [1.0, -5.0, 2.0], [0.0, 1.0, 8.0]])
print(idx)
