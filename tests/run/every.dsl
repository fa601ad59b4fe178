# What a loop does each k-th turn, in the same order as before.
fn step(u: f64[n]) -> f64[n] = [0.5 * u[i] + 0.25 * u[max(i - 1, 0)] + 0.25 * u[min(i + 1, n - 1)] for i in 0:n]

fn shown(u0: f64[n], from: int, to: int, k: int, phase: int) -> (f64[n], f64[40], int) {
    var u = u0
    var seen = zeros(f64, 40)
    var count = 0
    for t in from:to {
        u = step(u)
        if t % k == phase {
            print("turn", t, sum(u))
            seen[count] = u[n // 2]
            count += 1
        }
    }
    return (u, seen, count)
}
## The state changes, too; what is asked for comes at the end of each seven turns
fn mended(u0: f64[n], to: int) -> (f64[n], f64) {
    var u = u0
    var old = u0
    var moved = 0.0
    for t in 0:to {
        old = u
        u = step(u)
        if (t + 1) % 7 == 0 {
            moved += sum(abs(u - old))
            u = u * (1 + 0.1 * f64(t // 7))
        }
    }
    return (u, moved + sum(old))
}
## What was before the step is needed: the loop stays as it is
fn compared(u0: f64[n], to: int) -> f64 {
    var u = u0
    var worst = 0.0
    for t in 0:to {
        let next = step(u)
        if t % 5 == 4 { worst = max(worst, max(abs(next - u))) }
        u = next
    }
    return worst
}
## With something behind it, and a branch otherwise
fn both(u0: f64[n], to: int) -> f64[n] {
    var u = u0
    for t in 0:to {
        u = step(u)
        if t % 4 == 0 { u[0] = 1.0 } else { u[0] = u[0] * 0.5 }
    }
    for t in 0:to {
        if t % 4 == 2 { u[n - 1] = 3.0 }
        u = step(u)
    }
    return u
}
fn measured(u0: f64[n], to: int) -> f64 = sum(mended(u0, to).0^2)

let u = [f64(i * i % 7) for i in 0:9]
for k in [1, 2, 4, 5, 100] {
    for phase in [0, 1, 4] {
        let (a, s, c) = shown(u, 0, 13, k, phase)
        let (b, q, d) = shown(u, 3, 11, k, phase)
        let (e, r, f) = shown(u, -6, 7, k, phase)
        print(k, phase, a[2], s[:3], c, b[3], q[:3], d, e[1], r[:3], f)
    }
}
let (none, seen, count) = shown(u, 5, 5, 4, 0)
print(none, sum(seen), count, shown(u, 7, 2, 4, 0).2, shown(u, 0, 20, -4, 0).2, shown(u, 0, 20, 4, 7).2, shown(u, 0, 20, -4, -1).2)
for to in [0, 1, 6, 7, 8, 30] { print(to, mended(u, to), compared(u, to), both(u, to), grad(measured)(u, to)) }
