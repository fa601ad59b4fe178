fn f(x: f64, x: f64) -> f64 {
    let y = x
    let y = 2*y
    return y
}
const c = 1
const c = 2
struct P { x: f64
    x: f64 }
fn P(x: int) -> int { return x }
kernel f(y: out f64[n]) { y[0] = 1.0 }
