# Elements of known arrays as indices: bounds by the elements that the index allows, races by elements that differ.
# RUN: dslc check --explain-checks -Wno-W0503 %s 2>&1 | FileCheck %s
# RUN: dslc check --explain-checks $(dirname %s)/../../run/index_tables.dsl 2>&1 | FileCheck --check-prefix=ALL %s
# ALL: races: 16 pairs of accesses: 16 proved
# ALL: 0 checked when the program runs
# CHECK: insert of 'y0': proved
# CHECK: insert of 'y0': checked
# CHECK: insert of 'y': checked
# CHECK: insert of 'y': checked
# CHECK: store of 'y': checked
# CHECK: store of 'y': checked

# the last element is too great, and no turn comes to it
fn part(x: f64[4], y0: f64[4]) -> f64[4] {
    let p = [3, 1, 2, 9]
    var y = y0
    for k in 0:3 { y[p[k]] = x[p[2 - k]] }
    return y
}
fn whole(x: f64[4], y0: f64[4]) -> f64[4] {
    let p = [3, 1, 2, 9]
    var y = y0
    for k in 0:4 { if x[k] > 0 { y[p[k]] = x[k] } }
    return y
}
# one is changed, or is not the same in all
fn changed(x: f64[4], k0: int) -> f64[4] {
    var p = [3, 1, 2, 0]
    p[k0] = 7
    var y = zeros(f64, 4)
    for k in 0:4 { y[p[k]] = x[k] }
    return y
}
fn open(x: f64[4], q: int) -> f64[4] {
    let p = [3, q, 2, 0]
    var y = zeros(f64, 4)
    for k in 0:4 { y[p[k]] = x[k] }
    return y
}
kernel under(y: inout f64[n], x: f64[n]) {
    var p = [1, 0, 3, 2]
    let t = block.x * blockdim.x + thread.x
    if x[0] > 0 { p[0] = 2 }
    if 4*t + 3 < n { for j in 0:4 { y[4*t + p[j]] = x[4*t + j] } }
}
kernel late(y: inout f64[n], x: f64[n]) {
    var p = [1, 0, 3, 2]
    let t = block.x * blockdim.x + thread.x
    if 4*t + 3 < n { for j in 0:4 { y[4*t + p[j]] = x[4*t + j]; p[j] = 0 } }
}
