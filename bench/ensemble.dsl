# A parameter study: the same simulation, which makes arrays of its own, for many parameters.  Reaction and diffusion
# (Fisher and Kolmogorov) on a ring; the rows are the ends.
# small: cases=6 n=40 steps=30
const cases = 96
const n = 1000
const steps = 1000
const reps = 5

fn simulate(rate: f64, steps: int) -> f64[n] {
    var u = [if i < n // 10 { 1.0 } else { 0.0 } for i in 0:n]
    for t in 0:steps {
        let next = [u[i] + 0.2 * (u[(i + n - 1) % n] - 2.0 * u[i] + u[(i + 1) % n]) + rate * u[i] * (1.0 - u[i]) for i in 0:n]
        u = next
    }
    return u
}
fn study(rates: f64[m], steps: int) -> f64[m, n] = [simulate(r, steps) for r in rates]

let rates = [0.01 + 0.09 * (k * 7919 % 10007) / 10007.0 for k in 0:cases]
var ends = study(rates, steps)
let start = time()
for r in 0:reps { ends = study(rates * (1.0 - 0.001 * r), steps) }
let seconds = (time() - start) / reps
print("check", sum(ends))
print("time", seconds)
