# Loops whose turns change nothing where a guard does not hold end, or begin, where it does; loops around loops that count
# one index between them are one.
fn upto(x: f64[n], k: int) -> f64 {
    var s = 0.0
    for q in 0:n { if q < k { s += x[q] } }
    return s
}
fn between(x: f64[n], a: int, b: int) -> (f64, int) {
    var s = 0.0
    var seen = 0
    for q in 0:n {
        if q >= a and q <= b {
            s += x[q] * f64(q)
            seen += 1
        }
    }
    return (s, seen)
}
fn padded(x: f64[n], y: f64[m], w: int) -> f64 {
    var s = 0.0
    for q in 0:w { s += (if q < min(n, m) { x[q] } else { 0.0 }) * (if q < min(n, m) { y[q] } else { 0.0 }) }
    return s
}
# What is added where the guard does not hold is not 0 for sure, or the sum may be -0: the turns stay.
fn one_side(x: f64[n], y: f64[m], w: int) -> f64 {
    var s = 0.0
    for q in 0:w { s += (if q < n { x[q] } else { 0.0 }) * y[q] }
    return s
}
fn negative(x: f64[n], w: int) -> f64 {
    var s = -0.0
    for q in 0:w { s += if q < n { x[q] } else { 0.0 } }
    return 1 / s
}
fn counted(x: int[n], w: int) -> int {
    var s = 0
    for q in 0:w { s += 2 * (if q + 3 < n { x[q + 3] } else { 0 }) }
    return s
}
fn two_sums(x: f64[n], k: int) -> (f64, f64) {
    var s = 0.0
    var t = 1.0
    for q in 0:n {
        s += if q < k { x[q] } else { 0.0 }
        t += if q < k { x[q] * x[q] } else { 0.0 }
    }
    return (s, t)
}
fn other_guards(x: f64[n], k: int, l: int) -> (f64, f64) {
    var s = 0.0
    var t = 1.0
    for q in 0:n {
        s += if q < k { x[q] } else { 0.0 }
        t += if q < l { x[q] * x[q] } else { 0.0 }
    }
    return (s, t)
}
fn moved(x: f64[n], k: int) -> f64 { # the guard asks for what the loop carries, too
    var s = 0.0
    var at = 0
    for q in 0:n {
        if at < k and q < k {
            s += x[at]
            at += 2
        }
    }
    return s
}
fn by_tiles(x: f64[n]) -> f64 {
    var s = 0.0
    for t in 0:ceildiv(n, 8) {
        for p in 0:8 { s += if t * 8 + p < n { x[t * 8 + p] } else { 0.0 } }
    }
    return s
}
fn by_tiles_last(x: f64[n]) -> (f64, int) {
    var s = 0.0
    var last = -1
    for t in 0:ceildiv(n, 4) {
        for p in 0:4 {
            let q = p + 4 * t
            if q < n {
                s = 0.5 * s + x[q]
                last = q
            }
        }
    }
    return (s, last)
}
fn apart(x: f64[n]) -> f64 { # both indices are asked for: two loops
    var s = 0.0
    for t in 0:n // 4 {
        for p in 0:4 { s = s * 0.5 + x[t * 4 + p] * f64(p) }
    }
    return s
}
fn matrix(a: f64[n, k], b: f64[k, m], w: int) -> f64[n, m] {
    var c = zeros(f64, n, m)
    parallel for i in 0:n, j in 0:m {
        var s = 0.0
        for q in 0:w { if q < k { s += a[i, q] * b[q, j] } }
        c[i, j] = s
    }
    return c
}
let x = [f64((i * 37) % 11) - 4.5 for i in 0:23]
let y = [f64((i * 5) % 7) - 3 for i in 0:30]
for k in [-1, 0, 1, 5, 23, 40] {
    print(k, upto(x, k), between(x, k, 12), between(x, 2, k), padded(x, y, k), counted([i * i for i in 0:23], k), two_sums(x, k), other_guards(x, k, 7), moved(x, min(k, 9)))
}
print(one_side(x, y, 30), one_side(x, [if i > 25 { inf } else { f64(i) } for i in 0:30], 30), one_side(x, y, 7))
print(negative(x[0:0], 0), negative(x[0:0], 3), negative(x, 23))
print(by_tiles(x), by_tiles(x[0:16]), by_tiles(x[0:0]), by_tiles_last(x), by_tiles_last(x[0:0]), apart(x))
print(grad(by_tiles)(x), grad(fn(v) => padded(v, y, 40))(x))
let a = [f64(i * 3 + j) for i in 0:4, j in 0:5]
let b = [f64(i - j) for i in 0:5, j in 0:3]
print(matrix(a, b, 9) - a @ b, matrix(a, b, 3) - a[:, 0:3] @ b[0:3])
