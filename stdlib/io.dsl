# Files and time.  The C functions are in runtime/.

const pi = 3.14159265358979323846264338327950288
const inf = 1e308 * 10.0
const nan = inf - inf

extern fn dsl_x_save(path: str, x: T[..])
extern fn dsl_x_save_as(path: str, x: T[..], names: str)
extern fn dsl_x_save_text(path: str, text: str)
extern fn dsl_x_save_1(path: str, small: bool, n1: str, x1: A[..])
extern fn dsl_x_save_2(path: str, small: bool, n1: str, x1: A[..], n2: str, x2: B[..])
extern fn dsl_x_save_3(path: str, small: bool, n1: str, x1: A[..], n2: str, x2: B[..], n3: str, x3: C[..])
extern fn dsl_x_save_4(path: str, small: bool, n1: str, x1: A[..], n2: str, x2: B[..], n3: str, x3: C[..], n4: str, x4: D[..])
extern fn dsl_x_save_5(path: str, small: bool, n1: str, x1: A[..], n2: str, x2: B[..], n3: str, x3: C[..], n4: str, x4: D[..], n5: str, x5: E[..])
extern fn dsl_x_save_6(path: str, small: bool, n1: str, x1: A[..], n2: str, x2: B[..], n3: str, x3: C[..], n4: str, x4: D[..], n5: str, x5: E[..], n6: str, x6: F[..])
extern fn dsl_x_load_text(path: str, part: str) -> str
extern fn dsl_x_time() -> f64

fn _load_text(path: str, part: str) -> str = dsl_x_load_text(path, part)
fn _first(x: T[n]) -> T = x[0]

fn save(path: str, z: c128[n]) { dsl_x_complex_save(path, z.re, z.im) }
fn save(path: str, z: c128[n, m]) { dsl_x_complex_save(path, z.re, z.im) }
fn save(path: str, z: c128[n, m, k]) { dsl_x_complex_save(path, z.re, z.im) }
fn save(path: str, z: c64[n]) { dsl_x_complex_save(path, z.re, z.im) }
fn save(path: str, z: c64[n, m]) { dsl_x_complex_save(path, z.re, z.im) }
## Writes an array as .npy, or as a table, .csv, .tsv, .txt, .dat; `names` of its columns: "a, b"
fn save(path: str, x: T[n], names: str = "") { dsl_x_save_as(path, x, names) }
fn save(path: str, x: T[n, m], names: str = "") { dsl_x_save_as(path, x, names) }
fn save(path: str, x: T[n, m, k]) { dsl_x_save(path, x) }
## Writes a text as it is: save("notes.txt", notes)
fn save(path: str, text: str) { dsl_x_save_text(path, text) }

## Several arrays in one file, .npz, each behind its name: save("run.npz", "t", t, "x", x); compress=true makes it smaller
fn save(path: str, n1: str, x1: A[..], compress: bool = false) {
    dsl_x_save_1(path, compress, n1, x1)
}
fn save(path: str, n1: str, x1: A[..], n2: str, x2: B[..], compress: bool = false) {
    dsl_x_save_2(path, compress, n1, x1, n2, x2)
}
fn save(path: str, n1: str, x1: A[..], n2: str, x2: B[..], n3: str, x3: C[..], compress: bool = false) {
    dsl_x_save_3(path, compress, n1, x1, n2, x2, n3, x3)
}
fn save(path: str, n1: str, x1: A[..], n2: str, x2: B[..], n3: str, x3: C[..], n4: str, x4: D[..], compress: bool = false) {
    dsl_x_save_4(path, compress, n1, x1, n2, x2, n3, x3, n4, x4)
}
fn save(path: str, n1: str, x1: A[..], n2: str, x2: B[..], n3: str, x3: C[..], n4: str, x4: D[..], n5: str, x5: E[..], compress: bool = false) {
    dsl_x_save_5(path, compress, n1, x1, n2, x2, n3, x3, n4, x4, n5, x5)
}
fn save(path: str, n1: str, x1: A[..], n2: str, x2: B[..], n3: str, x3: C[..], n4: str, x4: D[..], n5: str, x5: E[..], n6: str, x6: F[..], compress: bool = false) {
    dsl_x_save_6(path, compress, n1, x1, n2, x2, n3, x3, n4, x4, n5, x5, n6, x6)
}

extern fn dsl_x_whole(x: T[..]) -> str
## The text of an array with all its elements: print(whole(x)), where print(x) leaves out the middle of more than a thousand
fn whole(x: T[..]) -> str = dsl_x_whole(x)

## Seconds since some fixed moment
fn time() -> f64 = dsl_x_time()
