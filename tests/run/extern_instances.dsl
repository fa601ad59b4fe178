# One C function called with several types, and C functions that C's own headers declare
extern fn cos(x: f64) -> f64
extern fn dsl_x_save(path: str, x: T[..])
extern fn llabs(x: int) -> int
extern fn toupper(c: T) -> T

dsl_x_save("/dev/null", [1, 2])
dsl_x_save("/dev/null", [1.5])
save("/dev/null", [f32(1)])
save("/dev/null", [[1.0, 2.0]])
let zero: i32 = 97
print(cos(0.0), llabs(-3), toupper(zero), toupper(98))
