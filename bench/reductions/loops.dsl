# Loops that accumulate, nanoseconds an element: dslc build --no-tune loops.dsl; DSL_NUM_THREADS=1 ./loops --n=100000
fn l_max(x: f64[n]) -> f64 { var m = x[0]
    for i in 1:n { m = max(m, x[i]) }
    return m }
fn l_max2(x: f64[n]) -> f64 { var m = x[0]
    for i in 1:n { if x[i] > m { m = x[i] } }
    return m }
fn l_arg(x: f64[n]) -> int { var m = x[0]
    var at = 0
    for i in 1:n { if x[i] > m { m = x[i]
       at = i } }
    return at }
fn l_count(x: f64[n]) -> int { var c = 0
    for i in 0:n { if x[i] > 0.5 { c += 1 } }
    return c }
fn l_all(x: f64[n]) -> bool { var ok = true
    for i in 0:n { if x[i] < 0 { ok = false } }
    return ok }
fn l_last(x: f64[n]) -> int { var at = -1
    for i in 0:n { if x[i] > 0.9 { at = i } }
    return at }
arg n: int = 1000
arg work: int = 2000000
let reps = max(work // n, 3)
var x = rand(1, n)
var k = 0.0
fn best(t: f64, b: f64) -> f64 = min(b, time() - t)
var (b0, b1, b2, b3, b4, b5) = (inf, inf, inf, inf, inf, inf)
let inner = max(10000 // n, 1)
for r in 0:reps {
    var t = time()
    for q in 0:inner { x[q % n] = 0.3; k += l_max(x) }
    b0 = best(t, b0)
    t = time()
    for q in 0:inner { x[q % n] = 0.3; k += l_max2(x) }
    b1 = best(t, b1)
    t = time()
    for q in 0:inner { x[q % n] = 0.3; k += l_arg(x) }
    b2 = best(t, b2)
    t = time()
    for q in 0:inner { x[q % n] = 0.3; k += l_count(x) }
    b3 = best(t, b3)
    t = time()
    for q in 0:inner { x[q % n] = 0.3; k += int(l_all(x)) }
    b4 = best(t, b4)
    t = time()
    for q in 0:inner { x[q % n] = 0.3; k += l_last(x) }
    b5 = best(t, b5)
}
let s = 1e9 / (n * inner)
print(f"n {n}: max {b0*s:.3f} if-max {b1*s:.3f} argmax {b2*s:.3f} count {b3*s:.3f} all {b4*s:.3f} last {b5*s:.3f}  {k}")
