# Parameters that calls may leave out
fn root(x: f64, tolerance: f64 = 1e-6, label: str = "root", low: f64 = -1) {
    print(label, x, tolerance, low)
}
fn scaled(x: f64, by: int = 2) -> f64 = x * by
fn scaled(x: f64[n], by: int = 3, flip: bool = false) -> f64[n] = if flip { -by * x } else { by * x }
fn count(x: T, n: int = 3) -> int = n
fn kinds(a: f32 = 0.5, b: u8 = 7, c: int = -4, d: bool = true) { print(a, b, c, d) }

root(2.0)
root(2.0, label="r")
root(2.0, 0.1, low=3)
root(label="all named", low=0, x=1)
print(scaled(4), scaled(4, 3), scaled(4, by=10), scaled([1.0, 2.0]), scaled([1.0], flip=true))
print(count(1.0), count([1], n=7))
kinds()
kinds(d=false, b=1)
