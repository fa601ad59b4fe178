# Monthly temperatures in a table: means by month, anomalies, a trend with its error, the warmest year
let years = 30
let months = 12 * years
let t = arange(months)
save("temps.csv", column_stack(1990.0 + t // 12, t % 12 + 1.0, 10 + 8 * sin(2 * pi * (t - 3) / 12) + 0.02 * t / 12 + 0.8 * randn(3, months)), "year, month, temp")
let year: int[n] = load("temps.csv", "year")
let month: int[n] = load("temps.csv", "month")
let temp: f64[n] = load("temps.csv", "temp")
let climatology = [mean(temp[month == m]) for m in 1:13]
let anomaly = temp - climatology[month - 1]
let when = year + (month - 0.5) / 12
let p = polyfit(when, anomaly, 1)
let error = std(anomaly - polyval(p, when), ddof=2) / (std(when) * sqrt(f64(n)))
print(f"{10 * p[0]:.2f} +- {10 * error:.2f} K per decade", abs(p[0] - cov(when, anomaly) / variance(when, ddof=1)) < 1e-10)
for m in 0:12 { print(f"{m + 1:2d} {climatology[m]:6.2f}") }
let annual = mean(reshape(temp, years, 12), axis=1)
print("warmest:", year[12 * argmax(annual)], "above 18.5 degrees:", sum(temp > 18.5), f"{quantile(anomaly, 0.9):.2f}")
