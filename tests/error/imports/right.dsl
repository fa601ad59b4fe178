const width = 4
fn f(x: f64) -> f64 = secret(x)
fn secret_size(x: f64[width]) -> int = width + helper_size
struct S { y: int }
kernel k(x: inout f64[n]) { x[0] = missing }
