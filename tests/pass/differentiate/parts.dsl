# Of an array that a loop reads and writes in parts what is read is kept, an element or a row for each turn, in branches, too;
# not the array, and not what the array still has at the end, v[i - 1] or what became of v[i].  What is read whole is kept whole, and
# its parts are read from there.
# RUN: dslc check --memory %s 2>&1 | FileCheck %s --check-prefix=KEPT
# RUN: dslc --emit=grad %s -o - | FileCheck %s
# KEPT: parts.dsl:[[#@LINE+27]]:12: kept of 'b', a row for each turn: 8*max(n - 1, 0) bytes
# KEPT-NEXT: kept in all: 8*max(n - 1, 0) bytes
# KEPT-NEXT: parts.dsl:[[#@LINE+31]]:34: kept of 'b', a row for each turn: 8*m*turns bytes
# KEPT-NEXT: parts.dsl:[[#@LINE+30]]:27: kept of 'b', a row for each turn: 8*m*turns bytes
# KEPT-NEXT: kept in all: 16*m*turns bytes
# KEPT-NEXT: parts.dsl:[[#@LINE+33]]:5: kept of 'b', a row for each turn: 8*n*steps bytes
# KEPT-NEXT: kept in all: 8*n*steps bytes
# KEPT-NEXT: parts.dsl:[[#@LINE+39]]:5: kept of 'b', a row for each turn: 8*n*steps + 8*n bytes
# KEPT-NEXT: kept in all: 8*n*steps + 8*n bytes
# KEPT-NOT: kept
# CHECK-LABEL: func @chain_slope
# CHECK: for({{.*}} : f64[n], f64[max(n - 1, 0)] {
# CHECK: for({{.*}} : f64[n] {
# CHECK: if({{.*}} : f64[n], f64 {
# CHECK-LABEL: func @rows_slope
# CHECK: for({{.*}} : f64[n, m], f64[turns.{{[a-z0-9]+}}, 1, m], f64[turns.{{[a-z0-9]+}}, 1, m] {
# CHECK-LABEL: func @stepped_slope
# CHECK: for({{.*}} : f64[n], f64[turns.{{[a-z0-9]+}}, n] {
# CHECK-LABEL: func @nested_slope
# CHECK: for({{.*}} : f64[n], f64[turns.{{[a-z0-9]+}} + 1, n] {
# CHECK: for({{.*}} : f64[n] {
# CHECK: for({{.*}} : f64[n] {
# CHECK: for({{.*}} : f64[n] {
# CHECK: for({{.*}} : f64[n] {
fn chain(b: f64[n]) -> f64 {
    var v = b
    for i in 1:n {
        if v[i] > 0.1 { v[i] *= sin(v[i - 1]) }
    }
    return sum(v^2)
}
fn rows(b: f64[n, m], parent: int[n]) -> f64 {
    var v = b
    for i in 1:n { v[i] = v[i] * v[parent[i]] }
    return sum(v^2)
}
fn stepped(b: f64[n], steps: int) -> f64 {
    var u = b
    for t in 0:steps {
        u *= cos(u)
        u[0] = u[0] * u[1]
    }
    return sum(u)
}
fn nested(b: f64[n], steps: int) -> f64 {
    var u = b
    for t in 0:steps {
        for i in 1:n { u[i] = u[i] / (1 + u[i - 1]) }
        u = u / u[n - 1]
    }
    return sum(u)
}
export fn chain_slope(b: f64[n]) -> f64[n] = grad(chain)(b)
export fn rows_slope(b: f64[n, m], parent: int[n]) -> f64[n, m] = grad(rows)(b, parent)
export fn stepped_slope(b: f64[n], steps: int) -> f64[n] = grad(stepped, wrt=b)(b, steps)
export fn nested_slope(b: f64[n], steps: int) -> f64[n] = grad(nested, wrt=b)(b, steps)
