# y = x / sum(x) as a parallel loop that sums x in every iteration, by a loop of its own. Time must grow with n, not its square.
const n = 10000000
const reps = 20

fn total(x: f64[n]) -> f64 {
    var s = 0.0
    for j in 0:n { s += x[j] }
    return s
}
fn normalise(y0: f64[n], x: f64[n]) -> f64[n] {
    var y = y0
    parallel for i in 0:n { y[i] = x[i] / total(x) }
    return y
}

var x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
var y = normalise(zeros(f64, n), x)
let start = time()
for r in 0:reps {
    x[r] = 1e-6 * y[r]
    y = normalise(y, x)
}
let seconds = (time() - start) / reps
print("check", sum(y))
print("time", seconds)
