fn cg(b: f64[n], tol=1e-10) -> f64 = tol
fn limit(b: f64[n], most=100) -> int = most
fn total(v: [f64]) -> f64 = 0.0
fn norms(v: [[float]]) -> f64 = 0.0
fn halves(x: f64) -> f64, f64 {
    return (x, x)
}
let z = 0:10
let odd = 1:10:2
let grid = 0:0.1:1
double x = 3.0
long steps = 4
string name
const int size = 3
double twice(double x) {
}
f64[] y = [1.0]
