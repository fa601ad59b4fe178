# The forces of an energy of pairs, of which each side and component is a sum, are found by one sum of three results, and
# no array of all pairs is made, however the energy is written
# RUN: dslc --emit=par %s | FileCheck %s
fn lj(r2: f64) -> f64 {
    let s = 1 / (r2 + 0.5)
    return s^6 - s^3
}
fn rows(x: f64[n, 3]) -> f64 = sum(lj(sum((x[i] - x[j])^2)) for i in 0:n, j in 0:n)
fn columns(x: f64[n, 3]) -> f64 =
    sum(lj((x[i, 0] - x[j, 0])^2 + (x[i, 1] - x[j, 1])^2 + (x[i, 2] - x[j, 2])^2) for i in 0:n, j in 0:n)
fn unequal(x: f64[n, 3]) -> f64 = sum(if i != j { lj(sum((x[i] - x[j])^2)) } else { 0.0 } for i in 0:n, j in 0:n)
fn loops(x: f64[n, 3]) -> f64 {
    var e = 0.0
    for i in 0:n { for j in 0:n { e += lj(sum((x[i] - x[j])^2)) } }
    return e
}
kernel potential(e: out f64[n], x: f64[n, 3]) {
    let i = block.x * 64 + thread.x
    if i < n {
        var s = 0.0
        for j in 0:n { s += lj(sum((x[i] - x[j])^2)) }
        e[i] = s
    }
}
fn launched(x: f64[n, 3]) -> f64 {
    var e = zeros(f64, n)
    launch potential[ceildiv(n, 64), 64](e, x)
    return sum(e)
}
fn turned(x: f64[3, n]) -> f64 = sum(lj(sum((x[:, i] - x[:, j])^2)) for i in 0:n, j in 0:n)
fn plane(x: f32[n, 2]) -> f32 = sum(1 / (1 + sum((x[i] - x[j])^2)) for i in 0:n, j in 0:n)
export fn of_rows(x: f64[n, 3]) -> f64[n, 3] = grad(rows)(x)
export fn of_columns(x: f64[n, 3]) -> f64[n, 3] = grad(columns)(x)
export fn of_unequal(x: f64[n, 3]) -> f64[n, 3] = grad(unequal)(x)
export fn of_loops(x: f64[n, 3]) -> f64[n, 3] = grad(loops)(x)
export fn of_launched(x: f64[n, 3]) -> f64[n, 3] = grad(launched)(x)
export fn of_turned(x: f64[3, n]) -> f64[3, n] = grad(turned)(x)
export fn of_plane(x: f32[n, 2]) -> f32[n, 2] = grad(plane)(x)
# CHECK: export func @of_rows(
# CHECK-NOT: {{reduce|n, n}}
# CHECK: reduce({{.*}}) {kind = add} : f64, f64, f64 {{[{]$}}
# CHECK-NOT: {{reduce|for[(]|n, n}}
# CHECK: return(
# CHECK: export func @of_columns(
# CHECK-NOT: {{reduce|n, n}}
# CHECK: reduce({{.*}}) {kind = add} : f64, f64, f64 {{[{]$}}
# CHECK-NOT: {{reduce|for[(]|n, n}}
# CHECK: return(
# CHECK: export func @of_unequal(
# CHECK-NOT: {{reduce|n, n}}
# CHECK: reduce({{.*}}) {kind = add} : f64, f64, f64 {{[{]$}}
# CHECK-NOT: {{reduce|for[(]|n, n}}
# CHECK: return(
# CHECK: export func @of_loops(
# CHECK-NOT: {{reduce|n, n}}
# CHECK: reduce({{.*}}) {kind = add} : f64, f64, f64 {{[{]$}}
# CHECK-NOT: {{reduce|n, n}}
# CHECK: reduce({{.*}}) {kind = add} : f64, f64, f64 {{[{]$}}
# CHECK-NOT: {{reduce|for[(]|n, n}}
# CHECK: return(
# CHECK: export func @of_launched(
# CHECK-NOT: {{reduce|n, n}}
# CHECK: reduce({{.*}}) {kind = add} : f64, f64, f64 {{[{]$}}
# CHECK-NOT: {{reduce|n, n}}
# CHECK: reduce({{.*}}) {kind = add} : f64, f64, f64 {{[{]$}}
# CHECK-NOT: {{reduce|for[(]|n, n}}
# CHECK: return(
# CHECK: export func @of_turned(
# CHECK-NOT: {{reduce|n, n}}
# CHECK: reduce({{.*}}) {kind = add} : f64, f64, f64 {{[{]$}}
# CHECK-NOT: {{reduce|for[(]|n, n}}
# CHECK: return(
# CHECK: export func @of_plane(
# CHECK-NOT: {{reduce|n, n}}
# CHECK: reduce({{.*}}) {kind = add} : f32, f32 {{[{]$}}
# CHECK-NOT: {{reduce|for[(]|n, n}}
# CHECK: return(
