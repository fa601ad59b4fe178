fn stack(a: f64[n, k], b: f64[m, k]) -> f64[n + m, k] = vstack(a, b)
fn ramp(n: int) -> f64[n] = [f64(i) for i in 0:n]
fn middle(x: f64[n]) -> f64[n - 2] = x[1:n - 1]
fn evens(x: f64[n]) {
    let h = (n + 1) // 2
    let e = x[::2]
    print(h, len(e), e)
}
let x: f64[count] = ramp(5)
print(count, middle(x), size(stack(zeros(f64, 2, 3), ones(f64, 4, 3)), 0))
evens(x)
let k = 3
let z = zeros(f64, k * 2)
print(len(z), len(concat(z, x)))
var total = 0
for i in 1:4 { total += len(ramp(i)) + len(x[i:]) }
print(total)
fn positive(x: f64[n]) -> f64[m] {
    var kept = zeros(f64, n)
    var count = 0
    for i in 0:n {
        if x[i] > 0 {
            kept[count] = x[i]
            count += 1
        }
    }
    let m = count
    return kept[0:m]
}
print(positive([1.0, -2.0, 3.0]))
