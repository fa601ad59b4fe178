# Survival with censored patients (Kaplan and Meier 1958), its bootstrap band; logistic regression by its gradient
let n = 120
let life = exponential(1, 10.0, n)
let censored = exponential(2, 15.0, n)
let seen = min(life, censored)
let died = life <= censored
fn kaplan_meier(t: f64[n], d: bool[n], at: f64[m]) -> f64[m] {
    let order = argsort(t)
    var s = ones(f64, m)
    for k in 0:m {
        for i in 0:n {
            if t[order[i]] <= at[k] and d[order[i]] { s[k] *= 1 - 1 / (n - i) }
        }
    }
    return s
}
let at = linspace(0.0, 25.0, 26)
let s = kaplan_meier(seen, died, at)
var again = zeros(f64, 40, len(at))
for b in 0:40 {
    let pick = randint(100 + b, 0, n, n)
    again[b] = kaplan_meier(seen[pick], died[pick], at)
}
let (low, high) = (quantile(again, 0.025, axis=0), quantile(again, 0.975, axis=0))
print("half have died after", at[argmax(s < 0.5)], "of", sum(died), all(low <= high), sum(low <= exp(-at / 10) and exp(-at / 10) <= high) > 20)

let x = hstack(ones(f64, n, 1), randn(1, n, 2))
let yes = x[:, 1] + 2 * x[:, 2] + 0.5 * randn(2, n) > 0.3
fn loss(w: f64[k], x: f64[n, k], yes: bool[n]) -> f64 = mean(log1p(exp(-where(yes, x @ w, -(x @ w))))) + 1e-2 * sum(w^2)
let w = lbfgs(fn(w) => loss(w, x, yes), zeros(f64, 3), 1e-8)
let guess = x @ w > 0
print([[sum(guess == p and yes == q) for q in [false, true]] for p in [false, true]], norm(grad(fn(v) => loss(v, x, yes))(w)) < 1e-6, w[2] > w[1])
