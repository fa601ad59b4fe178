# RUN: interp run
# The message of an assert in a kernel has numbers in it, also in what the kernel calls
fn checked(x: f64, i: int) -> f64 {
    assert x < 3, f"x[{i}] is {x:.2f}, not below 3"
    return root(fn(t) => t * t - x, 0.0, 2.0)
}
kernel k(y: out f64[n], x: f64[n]) {
    let i = thread.x
    if i < n { y[i] = checked(x[i], i) }
}
var y = zeros(f64, 4)
parallel for i in 0:4 { y[i] = checked(0.5 * i, i) }
print(f"{y:.6f}")
launch k[1, 4](y, [1.0, 2.0, 3.25, 1.5])
print(y)
