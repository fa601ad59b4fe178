# Parameters that nobody needs; and those that somebody does.
fn area(width: f64, height: f64) -> f64 { return width * width }
fn twice(f: fn(f64) -> f64, g: fn(f64) -> f64, x: f64) -> f64 { return f(f(x)) }
fn both(x: f64[n], y: f64[n]) -> int { return n }
kernel step(y: out f64[n], z: inout f64[n], x: f64[n], w: f64[m], turns: int) {
    let i = thread.x
    if i < n { y[i] = m }
}
fn decay(t: f64, y: f64) -> f64 { return -y }          # others ask for its signature
fn apply(f: fn(f64, f64) -> f64) -> f64 { return f(0.0, 1.0) }
fn make(like: T, n: int) -> T[n] { return zeros(T, n) } # tells the type
fn spare(x: f64, _y: f64) -> f64 { return x }
export fn from_c(x: f64, y: f64) -> f64 { return x }
fn one(x: f64) -> f64 { return x }
fn one(x: f64, y: int) -> f64 { return x }             # one of several of its name
var y = zeros(f64, 10)
var z = zeros(f64, 10)
launch step[1, 32](y, z, y, y, 3)
print(area(1, 2), twice(one, one, 1), both(y, z), apply(decay), make(1.0, 3), spare(1, 2), from_c(1, 2), one(1, 2))
