# A layer of convolutions: a sum over two axes for each element, along which the elements lie beside each other
const channels = 32
const reps = 5

fn layer(w: f32[q, r, v], p: f32[r, h, u]) -> f32[q, h, u - v + 1] = [sum(w[k, l, v] * p[l, i, j + v] for l, v) for k, i, j in 0:u - v + 1]

var w = [f32((k * 7 + l * 3 + v) % 11 - 5) / 16 for k in 0:channels, l in 0:channels, v in 0:3]
let p = [f32((l * 5 + i * 3 + j) % 13 - 6) / 8 for l in 0:channels, i in 0:64, j in 0:258]
var y = layer(w, p)
let start = time()
for r in 0:reps {
    w[r, r, 1] = y[r, r, r] * f32(0.001)
    y = layer(w, p)
}
let seconds = (time() - start) / reps
print("check", sum(f64(abs(y[k, i, j])) for k, i, j))
print("time", seconds)
