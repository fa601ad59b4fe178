import "other.dsl"
## Twice x
fn twice(x: f64) -> f64 = 2 * x

fn inferred(x: f64) = x
fn nothing(x: f64) { print(x) }
## of export
export fn out_of_here(x: f64[n]) -> f64 { return sum(x) }
export fn short(x: f64) = x
extern fn hypot3(x: f64, y: f64, z: f64) -> f64
extern fn log_line(text: str, x: T[..])
fn no_params() -> int = 1
fn higher(f: fn(T, U) -> V, g: fn(), x: T[n], y: U[_, m]) -> (V[n], T) { return f(x, y) }
fn tuple(x: (f64, int), y: (f64,), z: (f64, int)[n]) -> f64[n + 1, 2 * n - 1, max(n, m)] = x
struct Point { x: f64, y: f64 }
struct Body {
    ## documented field
    position: Point
    velocity: f64[3]; mass: f64,
    name: str
}
struct Empty { }
test "adds" { assert twice(1) == 2, "adds" }
bench "adds" {
    twice(1)
}

## A comment that belongs to the file, not to what follows

fn undocumented() { }
let x = 1 ## not a doc comment
fn undocumented_too() { }
### nor this
fn undocumented_three() { }
