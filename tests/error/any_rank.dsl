let x: f64[..] = [1.0]
fn f(x: f64[..]) -> f64 { return sum(x) }
extern fn show(x: f64[..])
var y: int[..]
print(f(x), f("a"), show(3.0))
