# Sizes of parameters that are expressions: of an int parameter, or the only place of a name
fn fold(x: f64[2*n]) -> f64[n] = x[:n] + x[n:]
fn last(k: int, x: f64[k + 1]) -> f64 = x[k]
fn both(k: int, x: f64[2*n + 3], y: f64[n + k]) -> (int, f64) = (n, sum(x) + sum(y))
fn rest(k: int, x: f64[k + 1]) -> f64[2*k] = if k == 0 { [x[0], 1.0][:2*k] } else { concat(rest(k - 1, x[1:]), x[:2]) }
kernel pairs(o: out f64[n], x: f64[2*n], k: int, y: f64[k + 1]) {
    let i = thread.x
    if i < n { o[i] = x[2*i] + x[2*i + 1] + y[k] }
}

fn at_run_time(k: int, m: int) -> f64 = last(k, linspace(0.0, 1.0, m))

print(fold([1.0, 2.0]), fold(zeros(f64, 0)), last(1, [1.0, 2.0]), at_run_time(3, 4))
print(both(3, ones(f64, 7), ones(f64, 5)).0, rest(3, [1.0, 2.0, 3.0, 4.0]))
var o = zeros(f64, 3)
launch pairs[1, 4](o, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 1, [10.0, 20.0])
print(o)
