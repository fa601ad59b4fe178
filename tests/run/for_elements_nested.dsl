# Loops over elements inside one another, in functions, lambdas, kernels; arrays in structs, of tuples, without elements
struct P { x: f64[3], n: int }
const doubled = [x * 2 for x in [1, 2]]
const sq = [x * x for x in doubled]
fn tot(xs: T[n], z: T) -> T { var s = z
  for x in xs { s = s + x }
  return s }
fn find(a: int[n, m], v: int) -> (int, int) {
    var i = 0
    for row in a {
        var j = 0
        for x in row {
            if x == v { return (i, j) }
            j += 1
        }
        i += 1
    }
    return (-1, -1)
}
fn rec(xs: int[n], k: int) -> int {
    if k == 0 { return 0 }
    var s = 0
    for x in xs { s += x + rec(xs, k - 1) }
    return s
}
let p = P([1.0, 2.0, 3.0], 4)
for v in p.x { print(v) }
for v in p.x[1:] { print(v) }
let pairs = [(c, 2 * c) for c in [1.5, 2.5]]
for q in pairs { print(q.0 + q.1, q) }
for q in pairs { let (a, b) = q; print(a, b) }
let h = [f16(x) for x in [0.5, 1.5]]
for x in h { print(x + 1) }
print(tot([1, 2, 3], 0), tot([1.5, 2], 0.0))
print(find([[1, 2], [3, 4]], 3), find([[1, 2], [3, 4]], 9), rec([1, 2], 3))
for n in [2, 3] {
    let a: f64[n] = [f64(i) for i in 0:n]
    print(sum(a), [n * v for v in a])
}
let xs = [3.0, 1.0]
for x in xs { print(map(fn(v) => v + x, xs), [v * x for v in xs]) }
let m = [[1.0, 2.0], [3.0, 4.0]]
for row in m { print(map(fn(v) => v + sum(row), xs)) }
print([map(fn(v) => v + row[0], row) for row in m], [[sum(u * w) for w in m] for u in m], [u @ w for u in m, w in m])
print(doubled, sq, [x for x in sq], sum(x for x in doubled))
print(cumsum([x for x in xs]), scan(fn(a, b) => max(a, b), sum(r) for r in m))
let t3 = [[[i + j + k for k in 0:2] for j in 0:2] for i in 0:2]
for plane in t3 { for row in plane { for v in row { print(v) } } }
print([[sum(row) for row in plane] for plane in t3], [sum(plane, 0) for plane in t3], [plane.T for plane in t3], [plane[1] for plane in t3])
print(sum(v * w for plane in t3, row in plane, v in row, w in 0:v))
for row in zeros(f64, 2, 0) { print(row, sum(row)) }
for row in zeros(f64, 0, 2) { print(row) }
print([sum(row) for row in zeros(f64, 2, 0)], [row for row in zeros(f64, 0, 3)])
var k = 1
for t in 0:3 {
    for i in 0:(if t == 1 { k = 3; 2 } else { 1 }) { print(t, i) }
    for x in if t == 2 { k += 1; xs } else { xs + 1 } { print(x) }
}
print(k)
var s = 0.0
spawn { for x in xs { s += x } }
sync
print(s)
var w = [1, 2, 3]
for a in w { for b in w { w[0] += a * b } }
print(w)
kernel kk(y: inout f64[n, m], o: inout f64[n], b: P) {
    let i = thread.x
    if i < n {
        var z = zeros(f64, 2, 2)
        for row in z { z[0] += 1; o[i] = sum(row) }
        for v in b.x { z[1, 0] += v }
        for v in z[1] { z[0, 1] -= v }
        o[i] = sum(z) + sum([sum(r) for r in z]) + sum([v * 2 for v in y[i]]) + max([sum(q * q) for q in z])
        let c = [v * 2 for v in z[1]]
        for v in c { o[i] = max(o[i], v) }
        let rows2 = [r + 1.0 for r in z]
        o[i] += 0.0 + rows2[1, 1] + (if any(v > 3 for v in z[1]) { 100.0 } else { 0.0 })
    }
}
var y = [[1.0, 2.0], [3.0, 4.0]]
var o = zeros(f64, 2)
launch kk[1, 2](y, o, p)
print(o, y)
