# What comes each k-th turn stands behind a loop over the turns in between, which then runs in bands; what needs the state
# before the step stays in the turn.
# RUN: dslc --emit=par %s -o - | FileCheck %s
# CHECK-LABEL: func @shown
# CHECK: = for(
# CHECK: = for(
# CHECK: island(
# CHECK-NOT: print(
# CHECK: yield(
# CHECK: [[LAST:%[0-9]+]] = sub(
# CHECK: mod([[LAST]]
# CHECK: if(
# CHECK: print([[LAST]]
# CHECK-LABEL: func @compared
# CHECK: = for(
# CHECK-NOT: = for(
# CHECK: return
kernel step(next: out f64[n, m], u: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 and j >= 1 and j < m - 1 { next[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) }
}
fn shown(u0: f64[n, m], turns: int, k: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns {
        var next = u
        launch step[(m // 16 + 1, n // 4 + 1), (16, 4)](next, u)
        u = next
        if t % k == 0 { print(t, sum(u)) }
    }
    return u
}
fn compared(u0: f64[n, m], turns: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns {
        var next = u
        launch step[(m // 16 + 1, n // 4 + 1), (16, 4)](next, u)
        if t % 10 == 0 { print(t, sum(abs(next - u))) }
        u = next
    }
    return u
}
arg n: int = 400
let u = [f64((3 * i + j * j) % 11) for i in 0:n, j in 0:n]
let (a, b) = (shown(u, 30, 10), compared(u, 30))
print(sum(a), sum(b), sum(shown(a, 5, 2)), sum(compared(b, 5)))
