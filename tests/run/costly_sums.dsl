# Reductions of few elements that take long: computed by all threads, combined in the same tree
fn ways(n: int, left: int) -> int = if left == 0 { 1 } else { ways(n, left - 1) + ways(n - 1, left // 2) * n }
fn steps(n: int) -> int {
    var x = n
    var k = 0
    while x > 1 {
        x = if x % 2 == 0 { x // 2 } else { 3*x + 1 }
        k += 1
    }
    return k
}
fn walk(seed: int) -> f64 {
    var x = f64(seed) / 1000
    for t in 0:500 { x = 3.7 * x * (1 - x) }
    return x
}
fn walk32(seed: int) -> f32 {
    var x = f32(seed) / 1000
    for t in 0:500 { x = 3.7 * x * (1 - x) }
    return x
}
let x = [sin(f64(i * k)) for i in 0:20, k in 0:300]
print(sum(ways(i, j) for i in 0:6, j in 0:7), max(steps(i) for i in 1:400), min(steps(i) for i in 5:40))
print(sum(walk(i) for i in 0:999), sum(walk32(i) for i in 1:77), prod(1 + walk(i) for i in 0:9))
print(sum(sum(exp(x[i, k] * x[j, k]) for k in 0:300) for i in 0:5, j in 0:20))
print(any(walk(i) > 0.92 for i in 0:50), all(steps(i) < 200 for i in 1:300), argmax([walk(i) for i in 0:30]))
var total = 0.0
for r in 0:3 { if r != 1 { total += sum(walk(i + r) for i in 0:40) } }
print(total)
print([sum(walk(i + j) for i in 0:9) for j in 0:3])
