fn guard(k: int) -> int {
    if k < 0 { return 0 }
    let a = zeros(f64, k)
    return len(a)
}
fn shift(x: f64[n], k: int) -> f64 {
    let y = x[1 + k : n - 1 + k]
    let z = x[2 + k:]
    return y[0] + len(z)
}
print(guard(-3), guard(4), shift([1.0, 2.0, 3.0, 4.0], -1), shift([1.0, 2.0, 3.0, 4.0], 1))
var s = 0.0
let x = [1.0, 2.0, 3.0, 4.0, 5.0]
for k in -1:2 {
    s += sum(x[1 + k : 4 + k]) + sum(x[k + 1:])
}
print(s)
print(sum(sum(x[1 + k:]) for k in -1:3))
