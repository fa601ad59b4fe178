# Sizes of what functions give, asked of arrays that nobody needs otherwise; and sizes that each thread has of its own
fn f(k: int) -> f64[m] { return zeros(f64, k + 1) }
fn g(k: int) -> (f64[m, n], int) { return (zeros(f64, k + 1, 2 * k), k) }
fn same(x: f64[n]) -> f64[m] = x[1:]
let a = f(3)
print(len(a), len(f(4)), shape(f(5)), size(f(6)))
for k in 1:3 {
    let (b, c) = g(k)
    print(shape(b), len(f(c)), len(same(f(k))))
    if k > 1 { print(len(f(k)) + len(f(2 * k))) }
}
fn total(k: int) -> int {
    let x = f(k)
    let y = f(len(x))
    return len(x) * len(y)
}
print(total(2), sum([total(k) for k in 0:4]))
kernel strided(y: inout f64[n], x: f64[n]) {
    shared s: f64[16]
    let t = thread.x
    var own = 0.0
    for j in 0:ceildiv(n - t, 16) { own += x[t + 16 * j] }
    s[t] = own + len(x[t:])
    barrier
    for j in 0:(n - t) // 16 { y[t + 16 * j] += s[15 - t] + (n - t) % 7 }
}
var y = zeros(f64, 60)
launch strided[1, 16](y, [f64(i) for i in 0:60])
print(y)
