# parallel for whose iterations make arrays: each writes rows, elements, parts at its own index, and reads them there.
fn simulate(a: f64, n: int) -> f64[n] {
    var v = zeros(f64, n)
    v[0] = 1
    for t in 0:60 {
        v = [v[i] + a * ((if i > 0 { v[i-1] } else { 0.0 }) - v[i]) for i in 0:n]
    }
    return v
}
fn misfit(data: f64[n], a: f64) -> f64 {
    let v = simulate(a, n)
    return sum((v - data)^2)
}
fn study(a: f64[m], n: int) -> (f64[m, n], f64[m], int[m]) {
    var rows = ones(f64, m, n)
    var sums = zeros(f64, m)
    var turns = zeros(int, m)
    parallel for k in 0:m {
        if k % 4 != 3 {
            var v = simulate(a[k], n)
            while sum(v * v) > 1e-3 {
                v = v * 0.75
                turns[k] += 1
            }
            rows[k, :] += v
            sums[k] = sum(cumsum(v))
        }
    }
    return (rows, sums, turns)
}
let a = linspace(0.1, 0.9, 40)
let (rows, sums, turns) = study(a, int(sum(a) * 5 + 0.1))
print("rows", sum(rows), rows[4, 0], sum(sums), sums[39], turns)

var m = zeros(f64, 40, 3, 50)
var columns = zeros(f64, 50, 40)
parallel for k in 0:40 {
    for j in 0:3 { m[k, j, :] = simulate(a[k] / (j + 1), 50) }
    columns[:, k] = m[k, 0, :] - m[k, 2, :]
}
print("axes", sum(m), sum(abs(columns)))

# A function of arrays that makes some; an array that is read only
let data = simulate(0.33, 50)
var r = zeros(f64, 40)
parallel for k in 0:40 { r[k] = misfit(data, a[k]) }
print("least", argmin(r), min(r))

# Few iterations, and none
parallel for k in 0:1 { m[k, 0, :] = simulate(a[k], 50) * 2 }
parallel for k in 5:5 { m[k, 0, :] = simulate(a[k], 50) * 3 }
print("few", sum(m))
