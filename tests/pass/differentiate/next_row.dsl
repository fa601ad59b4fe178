# What a turn of a loop hands on is what the next one begins with: where the reverse needs it, it is a row of the tape, not
# computed anew. That tape has a row more.
# RUN: dslc check --explain-grad %s 2>&1 | FileCheck %s --check-prefix=KEPT
# RUN: dslc --emit=par %s -o - | FileCheck %s
# KEPT: next_row.dsl:[[#@LINE+15]]:5: kept of 'u0', a row for each turn: 8*n*steps + 8*n bytes
# KEPT-NEXT: next_row.dsl:[[#@LINE+14]]:5: kept of 'v0', a row for each turn: 8*n*steps bytes
# KEPT-NOT: computed anew{{.*}}island
# CHECK-LABEL: func @slope
# CHECK: for(
# CHECK: island(
# CHECK: island(
# CHECK-NOT: island(
kernel push(next: out f64[n], u: f64[n], v: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 { next[i] = u[i] + 0.1 * v[i] * (u[i - 1] - u[i + 1]) }
}
fn energy(u0: f64[n], v0: f64[n], steps: int) -> f64 {
    var u = u0
    var v = v0
    for t in 0:steps {
        var un = u
        var vn = v
        launch push[ceildiv(n, 64), 64](un, u, v)
        launch push[ceildiv(n, 64), 64](vn, v, un)
        u = un
        v = vn
    }
    return sum(u^2) + sum(v^2)
}
export fn slope(u0: f64[n], v0: f64[n], steps: int) -> f64[n] = grad(energy, wrt=u0)(u0, v0, steps)
