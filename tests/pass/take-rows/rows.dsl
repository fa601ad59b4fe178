# Turns of a loop that fills a table take the rows that they use: of comprehensions, slices, parallel loops, launches; rows and
# columns, two tables, loops down.  What they read is in the table at the end, so nothing is kept; of rows in a ring, which are
# written again, they keep these, not the table.
# RUN: dslc check --memory %s 2>&1 | FileCheck %s
# CHECK-COUNT-5: nothing is kept of loops
# CHECK: kept of 'u', a row for each turn: 8*n*nt bytes
# CHECK-NEXT: kept in all: 8*n*nt bytes
# CHECK: kept of 'u', a row for each turn: 8*m*m*turns bytes
fn elements(u0: f64[n], p: f64, nt: int) -> f64 {
    var u = zeros(f64, nt, n)
    u[0] = u0
    for t in 0:nt - 1 { u[t + 1] = [u[t, i] + p * sin(u[t, max(i - 1, 0)]) for i in 0:n] }
    return sum(u^2)
}
fn slices(u0: f64[n], c: f64, nt: int) -> f64 {
    var u = zeros(f64, nt, n)
    u[0] = u0
    u[1] = u0
    for t in 1:nt - 1 {
        u[t + 1, 1:n - 1] = 2 * u[t, 1:n - 1] - u[t - 1, 1:n - 1] + c * (u[t, 0:n - 2] - 2 * u[t, 1:n - 1] + u[t, 2:n])
    }
    return sum(u[nt - 1]^2)
}
fn two(x0: f64[n], a: f64, nt: int) -> f64 {
    var x = zeros(f64, n, nt)
    var y = zeros(f64, n, nt)
    x[:, 0] = x0
    y[:, 0] = 0.5 * x0
    for t in 0:nt - 1 {
        parallel for i in 0:n {
            x[i, t + 1] = x[i, t] + 0.01 * (a - y[i, t]) * x[i, t]
            y[i, t + 1] = y[i, t] + 0.01 * (x[i, t] - 1) * y[i, t]
        }
    }
    return sum(x * y)
}
fn down(w: f64[n], r: f64, nt: int) -> f64 {
    var v = zeros(f64, nt + 1, n)
    v[nt] = w
    for t in nt - 1:-1:-1 { parallel for i in 0:n { v[t, i] = sin(r * v[t + 1, i]) + v[t + 1, max(i - 1, 0)] } }
    return sum(v[0])
}
kernel step(u: inout f64[nt, n], t: int, p: f64) {
    let i = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 { u[t + 1, i] = u[t, i] + p * u[t, i - 1] * u[t, i + 1] }
}
fn launched(u0: f64[n], p: f64, nt: int) -> f64 {
    var u = zeros(f64, nt, n)
    u[0] = u0
    for t in 0:nt - 1 { launch step[ceildiv(n, 64), 64](u, t, p) }
    return sum(u^2)
}
export fn g1(u: f64[n], p: f64, nt: int) -> f64[n] = grad(elements, wrt=u0)(u, p, nt)
export fn g2(u: f64[n], p: f64, nt: int) -> f64 = grad(slices, wrt=c)(u, p, nt)
export fn g3(u: f64[n], p: f64, nt: int) -> f64[n] = grad(two, wrt=x0)(u, p, nt)
export fn g4(u: f64[n], p: f64, nt: int) -> f64[n] = grad(down, wrt=w)(u, p, nt)
export fn g5(u: f64[n], p: f64, nt: int) -> f64[n] = grad(launched, wrt=u0)(u, p, nt)
fn ring(u0: f64[n], p: f64, nt: int) -> f64 {
    var u = zeros(f64, 8, n)
    u[0] = u0
    for t in 0:nt { u[(t + 1) % 8] = [u[t % 8, i] + p * sin(u[t % 8, max(i - 1, 0)]) for i in 0:n] }
    return sum(u^2)
}
export fn g7(u: f64[n], p: f64, nt: int) -> f64[n] = grad(ring, wrt=u0)(u, p, nt)
# The whole table is read in each turn, and changed later: it is kept.
fn whole(u0: f64[m], p: f64) -> f64 {
    var u = zeros(f64, m, m)
    u[0] = u0
    for t in 1:m { u[t] = [p * sum(sin(u[s, i]) for s in 0:m) for i in 0:m] }
    return sum(u^2)
}
export fn g6(u: f64[m], p: f64) -> f64[m] = grad(whole, wrt=u0)(u, p)
