# Reductions take the elements in another order; scans do not
fn after(a: (f64, f64), b: (f64, f64)) -> (f64, f64) = (b.0 * a.0, b.0 * a.1 + b.1)
fn last_known(x: int[n]) -> int = reduce(fn(p, q) => if q >= 0 { q } else { p }, -1, x)
let steps = [(0.9, f64(i)) for i in 0:40]
print(reduce(after, (1.0, 0.0), steps).1, scan(after, steps)[39].1, reduce(after, (1.0, 0.0), steps[:16]).1)
print(last_known(arange(100)), last_known([3, -1]))
