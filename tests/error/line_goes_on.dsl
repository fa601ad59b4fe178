# RUN: check -Wno-unused
let x = 5.0
let y = x
    - 2
let z = x^2 # above
    - 2*x
    + 1
let w = x

    - 1
let v = x
-1
fn f(x: f64) -> f64 {
    return x
        + 1
}
fn g(x: f64) -> f64 {
    let y = x
        - 1
    if x > 0 { return y }
    - 1
    return -y
}
let b = if x > 2 {
    let a = x
        - 2
} else { 0.0 }
print(y, f(x), g(x), b)
# %%
-x
