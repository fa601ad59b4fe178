# Vectors of indices in several axes: pairs, read, assigned, updated; ranks, types, mixtures, none at all
var m = [[10.0 * i + j for j in 0:4] for i in 0:3]
let r = [0, 2, 1, 0]
let k = [3, 1, 0, 3]
print(m[r, k], m[[0, 1], [1]], m[r, 0], m[r, :], m[:, k][0], m[r][:, k])
let t = [[[100 * i + 10 * j + l for l in 0:4] for j in 0:3] for i in 0:2]
print(t[[0, 1], [2, 0]])
print(t[:, [0, 1], [2, 0]])
print(t[[0, 1], [2, 0], 1:3], t[[0, 1], 2, [1, 3]], t[0, [1, 2], [0, 0]], t[1, :, [0, 3]])
print(t[[0, 1], [2, 0], [3, 3]], t[[0,1], [1, 1], newaxis][0])
m[r, k] = 1.0
print(m)
m[[0, 1], [1, 2]] = [7.0, 8.0]
print(m)
fn pick(x: f64[n, m], a: int[k], b: int[l]) -> f64[k] = x[a, b]
print(pick(m, [0, 1], [1, 1]))
print(m[m[:, 0] > -1, [0, 1, 2]])
kernel h(y: inout f64[n, n], a: int[k], b: int[k]) {
    let i = thread.x
    if i < 1 { y[a, b] = y[b, a] 
     y[0, 0] = sum(y[a, b]) }
}
var y = [[10.0 * i + j for j in 0:4] for i in 0:4]
launch h[1, 4](y, [1, 2], [2, 3])
print(y)
parallel for i in 0:4 {
   var t = zeros(f64, 4, 2)
   t[[i, 0], [1, 0]] = [1.0, 2.0]
   y[i, 0] = sum(t) + t[0, 0]
}
print(y)
let z = [[c128(i, j) for j in 0:3] for i in 0:3]
print(z[[0, 1], [2, 2]])
let r5 = [0, 2, 1, 0, 0]
let k5 = [3, 1, 0, 3, 3]
var q = zeros(f64, 3, 4)
q[r5, k5] += 1
print(q)
q[r5, k5] *= [1.0, 2.0, 3.0, 4.0, 5.0]
q[r5] -= 1
q[:, [0, 0, 1]] += 10
q[1, [1, 1]] += [1.0, 2.0]
print(q)
var s = zeros(int, 2, 3, 4)
s[[0, 1, 0], [2, 0, 2]] += 1
s[[0, 1, 0], [2, 0, 2], 1:3] += [[1, 2], [3, 4], [5, 6]]
s[:, [0, 0], [1, 1]] += [[1, 2], [3, 4]]
s[[0, 0], 1, [1, 1]] <<= 1
s[[0, 0], 1, [1, 1]] ^= 2
print(s)
var c = zeros(c128, 2, 2)
c[[0, 1, 0], [1, 1, 1]] += 1im
c[[0, 1, 0], [1, 1, 1]] *= [2im, 1, 1]
print(c)
var w = zeros(c64, 3)
w[[0, 0]] += 1
print(w)
var b = [[true, false], [true, true]]
print(b)
b[[0, 1], [0, 1]] = false
print(b)
struct G { u: f64[n, k], c: int }
var g = G(zeros(f64, 3, 3), 1)
g.u[[0, 1, 0], [0, 1, 0]] += 2
print(g.u)
var f = zeros(f32, 2, 3)
f[[0, 0], [int(f[0, 0]), 0]] += 0.5
f[[0, 0], int(f[0, 0]):-int(f[0, 0] + 0.0)-1] += 1
f[[false, true], [2]] += 1
print(f)
fn hist(n: int, i: int[k], j: int[k]) -> f64[n, n] {
    var h = zeros(f64, n, n)
    h[i, j] += 1.0
    return h
}
print(hist(2, [0, 1, 1], [0, 1, 1]))
let e = [i for i in 0:3 if i > 7]
q[e, e] += 1
print(q[e, e], len(q[e, e]))
q[e, e] = 1
let labels = [2, 0, 1]
var h = zeros(f64, 3, 3)
h[arange(3), labels] = 1.0
print(h, h[arange(3), labels])
fn nll(x: f64[n, k], labels: int[n]) -> f64 = -mean((x - log(sum(exp(x), 1))[:, newaxis])[arange(n), labels])
let logits = [[0.1 * i * j - 0.2 * j for j in 0:3] for i in 0:4]
print(f"{nll(logits, [0, 2, 1, 1]):.10f}")
# newaxis stands where it stands among the axes of the result
print(shape(t[:, newaxis, [0, 1], [2, 0]]), shape(t[[0, 1], [2, 0], newaxis]), shape(t[newaxis, [0, 1], :, 0]))
# an index that reads what is updated is read before
var a = [[1, 0], [0, 1]]
a[[0, 0], a[0, 0]] += 1
a[[0, 1], a[1, 0]:] += 2
a[a[:, 0] > 2, [1]] -= 5
print(a)
# places and lengths are known when the program runs
fn bin(x: f64[n], y: f64[n], g: int) -> int[g, g] {
    var counts = zeros(int, g, g)
    counts[int(x * g), int(y * g)] += 1
    return counts
}
print(bin([0.1, 0.6, 0.7, 0.1], [0.9, 0.2, 0.3, 0.8], 2))
