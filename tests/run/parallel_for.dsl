fn work(n: int) -> f64 = sum(sqrt(f64(i)) for i in 0:n)
var y = zeros(f64, 5, 6)
let x = [f64(i) for i in 0:6]
parallel for i in 0:5, j in 0:6 {
    y[i, j] = i * 10 + x[j]
}
print(y)
var z = zeros(int, 10)
parallel for i in 1:10:3 {
    var s = 0
    for j in 0:i { s += j }
    z[i] = s
}
print(z)
fn smooth(u: f64[n]) -> f64[n] {
    var r = u
    parallel for i in 1:n - 1 {
        r[i] = 0.5 * (u[i - 1] + u[i + 1])
    }
    return r
}
print(smooth([1.0, 5.0, 3.0, 7.0]))
var count = zeros(int, 3)
parallel for i in 0:100 {
    atomic count[i % 3] += 1
}
print(count)
var a = 0.0
spawn { a = work(1000) }
let b = work(2000)
sync
print(a < b)
