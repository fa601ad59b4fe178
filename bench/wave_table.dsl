# A wave along a line, kept in a table as programs do that show it afterwards; the gradient of what a receiver hears by the speed
# at each place (full waveform inversion in one dimension)
const n = 1000
const nt = 1000
const reps = 10

fn misfit(c: f64[n], heard: f64[m]) -> f64 {
    var u = zeros(f64, nt, n)
    for t in 1:nt - 1 {
        u[t + 1, 1:n - 1] = 2 * u[t, 1:n - 1] - u[t - 1, 1:n - 1] + c[1:n - 1] * (u[t, 0:n - 2] - 2 * u[t, 1:n - 1] + u[t, 2:n])
        u[t + 1, n // 4] += exp(-0.002 * (f64(t) - 60)^2)
    }
    return sum((u[t, n // 2] - heard[t])^2 for t in 0:nt) / 2
}

var c = [0.2 + 0.1 * f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
let heard = [0.1 * f64((i + 17) * 7919 % 10007) / 10007.0 for i in 0:nt]
var g = grad(misfit, wrt=c)(c, heard)
let start = time()
for r in 0:reps {
    c -= 1e-9 * g
    g = grad(misfit, wrt=c)(c, heard)
}
let seconds = (time() - start) / reps
print("check", sum(g * g))
print("time", seconds)
