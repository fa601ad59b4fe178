# Rows that are read at places from other arrays: what each place gives is added to its row, in order
fn taken(w: f64[v, d], ids: int[m]) -> f64 = sum(w[ids]^2) / 2
fn elements(w: f64[v, d], ids: int[m]) -> f64 = sum([w[ids[i], k] for i in 0:m, k in 0:d]^2) / 2
fn of_rows(w: f64[v, d], ids: int[m]) -> f64 = sum([sum(w[ids[i]] * w[ids[i]]) for i in 0:m]) / 2
fn turned(w: f64[d, v], ids: int[m]) -> f64 = sum([w[k, ids[i]] for i in 0:m, k in 0:d]^2) / 2
fn chosen(w: f64[v, d], ids: int[m]) -> f64 = sum([if ids[i] >= 0 { w[ids[i], k] } else { 0.0 } for i in 0:m, k in 0:d]^2) / 2
fn pairs_of(w: f64[v, d], ids: int[m]) -> f64 = sum([w[ids[i], k] * w[ids[m - 1 - i], k] for i in 0:m, k in 0:d]) / 2
fn single(w: f32[v, d], ids: int[m]) -> f32 = sum(w[ids]^2) / 2

let w = [sin(f64(i * 5 + k)) for i in 0:7, k in 0:5]
let ids = [i * i % 7 for i in 0:40]
var g = zeros(f64, 7, 5)
for i in ids { g[i] += w[i] }
fn far(a: f64[n, m], b: f64[n, m]) -> bool = max(abs(a - b)) < 1e-12
print(far(grad(taken, wrt=w)(w, ids), g), far(grad(elements, wrt=w)(w, ids), g), far(grad(of_rows, wrt=w)(w, ids), g))
print(far(grad(turned, wrt=w)(w.T, ids).T, g), far(grad(chosen, wrt=w)(w, ids), g))
print(max(abs(f64(grad(single, wrt=w)([f32(w[i, k]) for i in 0:7, k in 0:5], ids)) - g)) < 1e-5)
print(check_grad(fn(v) => pairs_of(reshape(v, 7, 5), ids), flatten(w)) < 1e-6)
print(grad(taken, wrt=w)(w, [3, 3])[2:4, 0:2], grad(taken, wrt=w)(w, zeros(int, 0))[0, 0:2])

# Edges of a graph, each of which pulls at both ends
fn edges(x: f64[n, 3], a: int[m], b: int[m]) -> f64 = sum((norm(x[a[e]] - x[b[e]]) - 1)^2 for e in 0:m)
fn in_parts(x: f64[n, 3], a: int[m], b: int[m]) -> f64 =
    sum(1 / (1 + (x[a[e], 0] - x[b[e], 0])^2 + (x[a[e], 1] - x[b[e], 1])^2 + (x[a[e], 2] - x[b[e], 2])^2) for e in 0:m)
fn short(x: f64[n, 3], a: int[m], b: int[m]) -> f64 = sum([1 / (1 + sum((x[a[e]] - x[b[e]])^2)) for e in 0:m])
fn weighed(x: f64[n, 3], a: int[m], b: int[m], k: f64[m]) -> f64 = sum(k[e] * sum((x[a[e]] - x[b[e]])^2) for e in 0:m)
fn in_a_loop(x: f64[n, 3], a: int[m], b: int[m]) -> f64 {
    var s = 0.0
    for e in 0:m {
        let d = x[a[e]] - x[b[e]]
        s += 1 / (1 + sum(d * d))
    }
    return s
}
let x = [cos(f64(i * 3 + c)) * 2 for i in 0:9, c in 0:3]
let a = [i * 5 % 9 for i in 0:30]
let b = [(i * 5 + 1 + i % 4) % 9 for i in 0:30]
let k = [1.0 + i % 3 for i in 0:30]
let flat = flatten(x)
print(check_grad(fn(v) => edges(reshape(v, 9, 3), a, b), flat) < 1e-6, check_grad(fn(v) => in_parts(reshape(v, 9, 3), a, b), flat) < 1e-6)
print(check_grad(fn(v) => short(reshape(v, 9, 3), a, b), flat) < 1e-6, check_grad(fn(v) => in_a_loop(reshape(v, 9, 3), a, b), flat) < 1e-6)
print(check_grad(fn(v) => weighed(reshape(v, 9, 3), a, b, k), flat) < 1e-6, check_grad(fn(v) => weighed(x, a, b, v), k) < 1e-6)
print(max(abs(grad(short, wrt=x)(x, a, b) - grad(in_parts, wrt=x)(x, a, b))) < 1e-12)
let h = hvp(fn(v) => short(reshape(v, 9, 3), a, b))(flat, ones(f64, 27))
print(max(abs(h)) < 1e-12)

# The same bits with any number of threads: more rows than one thread is given
fn many(w: f64[v, d], ids: int[m]) -> f64 = sum(sin(w[ids]))
let big = [sin(f64(i * 8 + k)) for i in 0:600, k in 0:8]
let at = [i * 7919 % 600 for i in 0:60000]
print(sum(grad(many, wrt=w)(big, at)))
