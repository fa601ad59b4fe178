# Black-Scholes prices of European options, whole-array
const n = 1000000
const reps = 3
const rate = 0.02
const volatility = 0.3

fn normal_cdf(x: f64) -> f64 = 0.5 * (1 + erf(x / sqrt(2.0)))

fn call(s: f64[n], strike: f64[n], t: f64[n]) -> f64[n] {
    let d1 = (log(s / strike) + (rate + 0.5 * volatility^2) * t) / (volatility * sqrt(t))
    let d2 = d1 - volatility * sqrt(t)
    return s * map(normal_cdf, d1) - strike * exp(-rate * t) * map(normal_cdf, d2)
}

let s = [10 + 90 * f64(i * 7919 % 10007) / 10007 for i in 0:n]
let strike = [10 + 90 * f64(i * 104729 % 1009) / 1009 for i in 0:n]
let t = [0.25 + 2 * f64(i * 31 % 997) / 997 for i in 0:n]
var price = call(s, strike, t)
let start = time()
for r in 0:reps { price = call(s, strike, t + r) }
let seconds = (time() - start) / reps
print("check", sum(price), price[1000])
print("time", seconds)
