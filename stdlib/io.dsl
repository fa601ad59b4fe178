# Files and time.  The C functions are in runtime/.

const pi = 3.141592653589793
const inf = 1e308 * 10.0
const nan = inf - inf

extern fn dsl_x_save(path: str, x: T[..])
extern fn dsl_x_save_as(path: str, x: T[..], names: str)
extern fn dsl_x_time() -> f64

## Writes an array as .npy, or as a table, .csv, .tsv, .txt, .dat; `names` of its columns: "a, b"
fn save(path: str, x: T[n], names: str = "") { dsl_x_save_as(path, x, names) }
fn save(path: str, x: T[n, m], names: str = "") { dsl_x_save_as(path, x, names) }
fn save(path: str, x: T[n, m, k]) { dsl_x_save(path, x) }

## Seconds since some fixed moment
fn time() -> f64 = dsl_x_time()
