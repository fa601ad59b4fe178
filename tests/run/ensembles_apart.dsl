# Ensembles whose turns processes share: stretches of turns, with rows of the arrays that they write
fn simulate(a: f64, u: f64[n]) -> f64[n] {
    var v = u
    for t in 0:20 { v = [v[i] + a * (v[max(i - 1, 0)] - v[i]) + 0.01 * a * v[(i + 1) % n] for i in 0:n] }
    return v
}

fn least(a: f64, n: int) -> f64 {
    var v = [a * i - 0.3 for i in 0:n]
    while max(v) > 1.0 { v = [x / 2 + 0.01 * a for x in v] }
    return min(v) + sum(v) / n
}

let n = 40
var field = zeros(f64, n)
parallel for i in 0:n { field[i] = sin(f64(i)) } # lies in parts, and all turns read it
let rates = [0.1 + 0.02 * i for i in 0:17]
let ends = [simulate(a, field) for a in rates]
print(sum(ends), max(ends[3]))

var back = zeros(f64, 17, n) # from the last row to the first, then every other one
for k in 0:17 { back[16 - k, :] = simulate(rates[k], field) }
for k in 16:-1:-1 { back[k, :] += simulate(rates[k], back[k, :]) }
for k in 1:17:3 { back[k, :] = simulate(rates[k], back[k, :]) }
print(sum(back), back[4, 7], back[16, 0])

var flat = zeros(f64, 3 * 17)
var most = zeros(f64, 17)
for k in 0:17 {
    let v = simulate(rates[k], field)
    flat[3 * k:3 * k + 3] = v[0:3]
    most[k] = max(v)
}
print(sum(flat), sum(most), flat[50])

fn rows(m: int, k: int, x: f64[n]) -> f64[m * k] {
    var all = zeros(f64, m * k)
    for j in 0:m { all[j * k:j * k + k] = simulate(0.1 * j, x)[0:k] }
    return all
}
print(sum(rows(5, 4, field)), rows(5, 4, field)[17])

let few = [sum(simulate(a, field)) for a in [0.3]] # fewer turns than processes
print(few)
let nested = [[least(a + b, 12) for b in [0.1, 0.4]] for a in rates]
print(sum(nested), nested[16, 1])

var columns = zeros(f64, n, 17) # not rows: all processes do each turn together
for k in 0:17 { columns[:, k] = simulate(rates[k], field) }
print(sum(columns), sum(columns - ends.T))

fn loss(rates: f64[m], u: f64[n]) -> f64 = sum([sum(simulate(a, u)^2) for a in rates])
let (slopes, to_field) = grad(loss)(rates, field)
print(sum(slopes), slopes[5], sum(to_field))
let old = ends
var new = old # two names: the rows that are written are of a copy
for k in 0:17 { new[k, :] = simulate(0.5, old[16 - k, :]) }
print(sum(new), sum(old))
