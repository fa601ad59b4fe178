# An epidemic as differential equations and as chance: an ensemble of runs around the solution
struct Disease { beta: f64 = 0.4, gamma: f64 = 0.1 }
fn sir(y: f64[3], d: Disease) -> f64[3] = [-d.beta * y[0] * y[1], d.beta * y[0] * y[1] - d.gamma * y[1], d.gamma * y[1]]

fn one_run(seed: int, n: int, d: Disease, days: int) -> f64[days] {
    var (s, i) = (n - 10, 10)
    var part = zeros(f64, days)
    for t in 0:days {
        part[t] = i / n
        let infected = binomial(seed + 2 * t, s, 1 - exp(-d.beta * i / n), 1)[0]
        let cured = binomial(seed + 2 * t + 1, i, 1 - exp(-d.gamma), 1)[0]
        s -= infected
        i += infected - cured
    }
    return part
}

let d = Disease(beta=0.35)
let y = ode(fn(t, y) => sir(y, d), [0.99, 0.01, 0.0], arange(101) * 1.0)
print(f"peak {100 * max(y[:, 1]):.1f} % on day {argmax(y[:, 1])}, in the end {100 * y[100, 2]:.1f} %", max(abs(sum(y, axis=1) - 1)) < 1e-8)
let runs = [one_run(1000 * k, 1000, d, 101) for k in 0:12]
let (low, high) = (quantile(runs, 0.1, axis=0), quantile(runs, 0.9, axis=0))
print(sum(low <= high), abs(max(median(runs, axis=0)) - max(y[:, 1])) < 0.05, all(low >= 0 and high <= 1))
