# Strands that are over before a task would start: they run in order.
const n = 3000000
const reps = 5

fn pair(x: f64) -> f64 {
    var a = 0.0
    spawn { a = sqrt(x + 1.0) }
    let b = x * 0.5 + 1.0 / (x + 2.0)
    sync
    return a - b
}
fn run(n: int, x: f64) -> f64 {
    var s = x
    for i in 0:n { s = pair(s * s) }
    return s
}

var s = run(n, 0.5)
let start = time()
for r in 0:reps { s = run(n, s) }
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
