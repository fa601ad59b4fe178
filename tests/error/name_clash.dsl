import "imports/left.dsl"
import "imports/right.dsl"
const helper_size = 2
let missing = 3.0
fn secret(x: f64) -> f64 = x
print(width, f(1))
let s: S = S(1)
fn sized(x: f64[width]) -> int = size(x, 0)
print(sized([1.0]), shared_name)
