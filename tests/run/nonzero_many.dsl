# Places where a mask holds: none, all, some; within a part and over many
fn mix(i: int) -> int = (i * 7919 + i // 7 * 104729) % 1000003
fn digest(p: int[n]) -> int = sum(p[i] * (i % 5 + 1) for i in 0:n)

for n in [0, 1, 4095, 4096, 4097, 8192, 100000] {
    let all = nonzero([true for i in 0:n])
    let none = nonzero([false for i in 0:n])
    let some = nonzero([mix(i) % 3 == 0 for i in 0:n])
    let last = nonzero([i >= n - 2 for i in 0:n])
    let runs = nonzero([(i // 5000) % 2 == 1 for i in 0:n])
    print(n, len(all), digest(all), len(none), len(some), digest(some), last, len(runs), digest(runs))
}
let x = [sin(f64(i)) for i in 0:20000]
let up = x[nonzero(x > 0.5)]
print(len(up), sum(up), min(up))
