# RUN: run interp
# the calls that led to the failure: a lambda, a function of the library between, recursion
fn get(x: f64[n], i: int) -> f64 = x[i]
fn deep(x: f64[n], k: int) -> f64 {
    if k == 0 { return get(x, 7) }
    return deep(x, k - 1) + 1
}
fn apply(f: fn(int) -> f64, k: int) -> f64 = f(k)
fn middle(x: f64[n]) -> f64 {
    return apply(fn(i) => deep(x, i), 3)
}
let x = [1.0, 2.0, 3.0]
print(middle(x))
