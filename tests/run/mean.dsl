# Means of all elements, along an axis, of ints and bools, in kernels, as a value
let m = [[1.0, 2.0, 3.0], [4.0, 5.0, 9.0]]
let k = [1, 2, 4]
fn rows(x: f64[n, m]) -> f64[n] = mean(x, axis=1)
kernel centred(y: out f64[n], x: f64[n]) {
    let i = thread.x
    if i < n { y[i] = x[i] - mean(x) }
}
print(mean(m), mean(m, axis=0), mean(m, axis=1), mean(m, axis=-1), rows(m * 2), mean(m, 0))
print(mean(k), mean(f32(k)), mean([[[1.0, 2.0], [3.0, 4.0]]], axis=1), [mean(r) for r in m])
var y = zeros(f64, 3)
launch centred[1, 4](y, m[1])
fn at(f: fn(f64[n]) -> f64, x: f64[n]) -> f64 = f(x)
print(y, at(mean, [1.0, 2.0]), mean(zeros(f64, 0)), mean(f16([1, 2])))
print(mean(v * v for v in k), mean([true, false, true]), mean(f64(i) for i in 0:4))
fn found(n: int) -> f64[_] {
    print("once")
    return [f64(i) for i in 0:n * n]
}
print(mean(found(3)))
