# Loops whose branches ask where the index is: the interior, and the rest, whatever sizes and directions.
fn both(x: T[n, m]) -> T[n, m] =
    [(if j >= 1 { 2 * x[i, j - 1] } else { T(0) }) + (if i + 1 < n and j + 2 < m { x[i + 1, j + 2] * x[i, j] } else { T(1) }) for i in 0:n, j in 0:m]
fn turned(x: f64[n]) -> f64[n] =
    [(if 3 <= i { 2 * x[i - 3] } else { 0.5 }) + (if n - 1 > i { x[i + 1] * x[i] } else { 0.25 }) + (if n - i > 4 { x[i + 4] - x[i] * 3 } else { 0.125 })
     for i in 0:n]
## No index is in both: the interior is empty.
fn apart(x: f64[n]) -> f64[n] =
    [(if i < n // 2 { x[2 * i] * x[i] } else { 0.5 }) + (if i >= n // 2 { x[i - n // 2] * 5 - 1 } else { 0.25 }) for i in 0:n]
## What stands in the branch not taken must not be read, and a guard may be far out.
fn shifted(x: f64[n], k: int) -> f64[n] = [if i + k >= 0 and i + k < n { x[i + k] * 2 + 1 } else { -1.0 } for i in 0:n]
fn deep(x: f64[a, b, c]) -> f64[a, b, c] =
    [(if l >= 1 { (if j >= 1 and l + 1 < c { x[i, j - 1, l + 1] * x[i, j, l] } else { 0.5 }) - x[i, j, l - 1] } else { 0.0 })
     + (if i < a - 1 { x[i + 1, j, l] * 2 } else { 0.25 }) for i in 0:a, j in 0:b, l in 0:c]
fn ramp(n: int) -> f64[n] = [f64(i * 7919 % 101) / 101 for i in 0:n]

for n in [0, 1, 2, 3, 7, 40] {
    for m in [0, 1, 2, 3, 33] {
        let x = reshape(ramp(n * m), n, m)
        let y = both(x)
        print(n, m, f"{sum(y):.12g} {sum(y * y):.12g}", sum(both([f32(x[i, j]) for i in 0:n, j in 0:m])) > 0)
    }
    print(n, f"{sum(turned(ramp(n))):.12g} {sum(apart(ramp(n))):.12g}")
}
for k in [0, 1, -1, 5, -5, 40, -40, 9223372036854775807, -9223372036854775807] { print(k, f"{sum(shifted(ramp(30), k)):.12g}") }
print(f"{sum(deep(reshape(ramp(3 * 40 * 50), 3, 40, 50))):.12g} {sum(deep(reshape(ramp(4 * 2 * 1), 4, 2, 1))):.12g}")
