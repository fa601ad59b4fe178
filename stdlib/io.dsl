# Files and time.  The C functions are in runtime/.

const pi = 3.141592653589793
const inf = 1e308 * 10.0
const nan = inf - inf

extern fn dsl_x_save(path: str, x: T[..])
extern fn dsl_x_time() -> f64

## Writes an array as .npy
fn save(path: str, x: T[n]) { dsl_x_save(path, x) }
fn save(path: str, x: T[n, m]) { dsl_x_save(path, x) }
fn save(path: str, x: T[n, m, k]) { dsl_x_save(path, x) }

## Seconds since some fixed moment
fn time() -> f64 = dsl_x_time()
