import "sums.dsl" # files may import each other
const side = 2
const k = m + 1
fn area(x: f64[side, side]) -> f64 = sum(x)
fn twice_total(x: f64[n]) -> f64 = 2 * total(x)
