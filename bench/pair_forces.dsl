# The gradient of an energy of pairs of points, softened: one loop over the others for each point, of both sides of the pair
const n = 2000
const reps = 5

fn energy(x: f64[n, 3]) -> f64 = sum(-1 / sqrt(sum((x[i] - x[j])^2) + 0.01) for i in 0:n, j in 0:n)

var x = [f64((i * 3 + c) * 7919 % 10007) / 10007.0 for i in 0:n, c in 0:3]
var g = grad(energy)(x)
let start = time()
for r in 0:reps {
    x -= 1e-9 * g
    g = grad(energy)(x)
}
let seconds = (time() - start) / reps
print("check", sum(abs(g)))
print("time", seconds)
