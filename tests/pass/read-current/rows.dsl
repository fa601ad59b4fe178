# What a loop or a launch reads of an array as it was before, and leaves alone, it reads of the array that it changes: no copy is
# made.  Rows and columns that have names, chosen ones, in nests, branches, parallel loops and launches; not what is changed.
# RUN: dslc --print-after=read-current --emit=par %s -o %t 2>&1 | FileCheck %s
# CHECK: %u = for({{.*}}, %x) : f64[n, n] {
# CHECK: %u.1 = for({{.*}}, %a) : f64[n, n] {
# CHECK-NOT: extract(%a,
# CHECK: %a.3 = for({{.*}}, %x) : f64[n, n] {
# CHECK-NOT: extract(%x,
# CHECK: generate
# CHECK: %u.5 = island(%x, %row) {modes = [2, 0]}
# CHECK: %u.7 = island(%x, %x) {modes = [2, 0], name = "add"}
# CHECK: (%u.8: {{.*}}, %old: {{.*}})
# CHECK-NOT: load(%old
# CHECK: %u.9 = for({{.*}}, %x) : f64[n, n] {
# CHECK: extract(%x,
fn named(a: f64[n, n]) -> f64[n, n] {
    var u = a
    for k in 0:n {
        let row = u[k]
        for i in k + 1:n {
            let f = u[i, k] / row[k]
            for j in k:n { u[i, j] -= f * row[j] }
        }
    }
    return u
}
fn column(a: f64[n, n], k: int) -> f64[n, n] {
    var u = a
    let c = u[:, k]
    for i in 0:n { for j in 0:n { if j != k { u[i, j] += c[i] * c[n - 1 - i] } } }
    return u
}
fn parallel_rows(a: f64[n, n], k: int) -> f64[n, n] {
    var u = a
    let row = u[k]
    parallel for i in 0:n { if i != k { for j in 0:n { u[i, j] -= row[j] * u[i, k] } } }
    return u
}
kernel add(u: inout f64[n, n], old: f64[n, n], k: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n and i != k { for j in 0:n { u[i, j] += old[k, j] } }
}
fn launched(a: f64[n, n], k: int) -> f64[n, n] {
    var u = a
    launch add[ceildiv(n, 32), 32](u, a, k)
    return u
}
fn changed(a: f64[n, n], k: int) -> f64[n, n] { # reversed, which the row itself is, too
    var u = a
    let row = u[k]
    for i in 0:n { for j in 0:n { u[i, j] += row[n - 1 - j] * u[i, max(j - 1, 0)] } }
    return u
}
for n in [3, 4] {
    let x = 2 + rand(1, n, n)
    print(named(x), column(x, 1), parallel_rows(x, 1), launched(x, 1), changed(x, 1))
}
