# Arithmetic and functions of numbers with twice the digits of f64 (--pairs=f64), on arrays
const n = 100000
const reps = 5
let x = [0.001 + 6.0 * i / n for i in 0:n]
var y = [1 + 1.0 / (i + 1) for i in 0:n]

# Seconds are taken before the elements are looked at
fn report(what: str, seconds: f64, z: f64[m]) {
    print(what, seconds / n * 1e9, sum(z) + z[m - 1] * z[0])
}
var start = time()
for r in 0:reps { y = [y[i] + x[i] * y[i] / (reps * 1000) for i in 0:n] }
report("axpy", (time() - start) / reps, y)
start = time()
let d = sum(x * y)
report("dot", time() - start, [d])
start = time()
let of_div = [y[i] / x[i] for i in 0:n]
report("div", time() - start, of_div)
start = time()
let of_sqrt = [sqrt(x[i]) for i in 0:n]
report("sqrt", time() - start, of_sqrt)
start = time()
let of_exp = [exp(x[i]) for i in 0:n]
report("exp", time() - start, of_exp)
start = time()
let of_log = [log(x[i]) for i in 0:n]
report("log", time() - start, of_log)
start = time()
let of_sin = [sin(x[i]) for i in 0:n]
report("sin", time() - start, of_sin)
