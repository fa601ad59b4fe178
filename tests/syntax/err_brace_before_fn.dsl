kernel k(y: out f64[n]) {
    let i = thread.x
    if i < n {
        y[i] = 1

fn g(x: f64) -> f64 = x
fn h(x: f64 -> f64 = x
