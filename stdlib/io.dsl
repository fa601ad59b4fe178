# Files and time.  The C functions are in runtime/.

const pi = 3.141592653589793
const inf = 1e308 * 10.0
const nan = inf - inf

extern fn dsl_x_save(path: str, x: T[..])
extern fn dsl_x_save_as(path: str, x: T[..], names: str)
extern fn dsl_x_time() -> f64

fn save(path: str, z: c128[n]) { dsl_x_complex_save(path, z.re, z.im) }
fn save(path: str, z: c128[n, m]) { dsl_x_complex_save(path, z.re, z.im) }
fn save(path: str, z: c128[n, m, k]) { dsl_x_complex_save(path, z.re, z.im) }
fn save(path: str, z: c64[n]) { dsl_x_complex_save(path, z.re, z.im) }
fn save(path: str, z: c64[n, m]) { dsl_x_complex_save(path, z.re, z.im) }
## Writes an array as .npy, or as a table, .csv, .tsv, .txt, .dat; `names` of its columns: "a, b"
fn save(path: str, x: T[n], names: str = "") { dsl_x_save_as(path, x, names) }
fn save(path: str, x: T[n, m], names: str = "") { dsl_x_save_as(path, x, names) }
fn save(path: str, x: T[n, m, k]) { dsl_x_save(path, x) }

extern fn dsl_x_whole(x: T[..]) -> str
## The text of an array with all its elements: print(whole(x)), where print(x) leaves out the middle of more than a thousand
fn whole(x: T[..]) -> str = dsl_x_whole(x)

## Seconds since some fixed moment
fn time() -> f64 = dsl_x_time()
