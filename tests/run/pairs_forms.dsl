# Vectors of indices in pairs, where they may stand: constants, structs, kernels, parallel loops, threads, rows of rows
struct P { x: f64, n: int }
const table = [[1, 2, 3], [4, 5, 6]]
let r = [0, 1, 1]
let k = [2, 0, 1]
print(table[r, k], table[[0, 1], [2, 2]], (table + 1)[r, k], table.T[k, r])
var ps = [[P(1.0 * i, j) for j in 0:3] for i in 0:2]
print(ps[r, k].n, ps[r, k][1].x)
ps[[0, 1], [1, 1]] = [P(9.0, 9), P(8.0, 8)]
ps[[0, 1], [2, 2]] = P(7.0, 7)
print(ps[0, 1].x, ps[1, 1].n, ps[1, 2].n)
var m = [[10.0 * i + j for j in 0:3] for i in 0:3]
var b = 0
(m[r, k], b) = ([1.0, 2.0, 3.0], 4)
print(m, b)
print([sum(m[[i, 0], [0, i]]) for i in 0:3], [m[[i, 1], [0, i]] for i in 0:2], m[r[k % 2], k])
print(sum(m[r, k][p] * p for p in 0:3), m[r, k][1:], m[r, k][[0, 2]])
fn trace2(a: f64[n, n]) -> f64 = sum(a[arange(n), arange(n)])
print(trace2(m), trace2(zeros(f64, 0, 0)))
parallel for i in 0:3 { m[i, 0] = sum(m[[0, 1], [1, 2]]) + i + m[[0], [1, 2]][1] + m[[i], k][0] * 0 }
print(m)
fn inner(a: f64[n, l], rows: int[q], cols: int[q]) -> f64 = sum(a[rows, cols] * a[rows, 0])
kernel go(out: out f64[c], a: f64[n, l], rows: int[q], cols: int[q], o: int[q]) {
    let i = thread.x
    if i < c { out[i] = inner(a, rows, cols) + sum(a[rows, o]) }
}
var out = zeros(f64, 4)
launch go[1, 4](out, m, r, k, [1, 0, 2])
print(out)
print(out)
var h = zeros(f16, 2, 2)
h[[0, 0], [1, 1]] += 0.5
let i8r = [i32(0), 1, 1]
var u = zeros(u8, 2, 2)
u[i8r, [1, 1, 1]] += 200
print(h, u)
let f = fn(a: f64[n, n]) => a[[0, 1], [1, 0]]
print(f(m))
for turn in 0:2 { m[[turn, turn], [0, 0]] -= 1; m[[turn], turn] *= 2 }
print(m)
spawn { m[r, k] += 1 }
sync
print(m[r, k])

var t = zeros(f64, 2, 3, 3)
t[0][[0, 1, 0], [0, 1, 0]] += 1
t[1][2][[0, 0]] += 1
t[0][2][[true, false, true]] = 4
t[1][0][0] += 7
t[1][[0, 1]][0] = 3
print(t)
struct Grid { u: f64[n, n] }
var g = Grid(zeros(f64, 2, 2))
g.u[1][[0, 0, 1]] += 1
print(g.u)
var gs = [[1.0, 2.0], [3.0, 4.0]]
var at = 0
gs[at][[1, 1]] *= 3
print(gs)
