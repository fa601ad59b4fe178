let k = 3.0
var total = 0.0
fn f(x: f64) -> f64 { return k * x }
kernel add(y: inout f64[n]) { y[thread.x] += total }
test "uses a variable" { assert f(1.0) == k }
print(f(1.0), total)
