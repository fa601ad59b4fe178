# Arrays of one constant of which a launch writes all elements are not filled before; others are.
# RUN: dslc --emit=loops %s -o - | FileCheck %s

# CHECK-LABEL: func @planes(
# CHECK: parallel(
# CHECK: load(%x
# CHECK-NOT: parallel(
# CHECK: return
kernel write_planes(y: out f64[n, 3], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        y[i, 0] = x[i]
        y[i, 2] = -x[i]
        y[i, 1] = 2 * x[i]
    }
}
export fn planes(x: f64[n]) -> f64[n, 3] {
    var y = zeros(f64, n, 3)
    launch write_planes[ceildiv(n, 64), 64](y, x)
    return y
}

# An update of what is filled: the constant takes the place of what is loaded.
# CHECK-LABEL: func @updates(
# CHECK: parallel(
# CHECK-NOT: load(%y
# CHECK: add(
# CHECK-NEXT: store(
# CHECK-NOT: parallel(
# CHECK: return
kernel update(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] += x[i] }
}
export fn updates(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    launch update[ceildiv(n, 64), 64](y, x)
    return y
}

# One row stays as it was.
# CHECK-LABEL: func @interior(
# CHECK: parallel(
# CHECK-NOT: load(
# CHECK: store(
# CHECK: parallel(
# CHECK: return
kernel write_interior(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n - 1 { y[i] = x[i] }
}
export fn interior(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    launch write_interior[ceildiv(n, 64), 64](y, x)
    return y
}

# As many stores as elements, but two planes are one.
# CHECK-LABEL: func @twice(
# CHECK: parallel(
# CHECK: parallel(
# CHECK: store(
# CHECK: load(
# CHECK: return
kernel write_twice(y: out f64[n, 2], x: f64[n], k: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        y[i, 0] = x[i]
        y[i, k] = -x[i]
    }
}
export fn twice(x: f64[n], k: int) -> f64[n, 2] {
    var y = zeros(f64, n, 2)
    launch write_twice[ceildiv(n, 64), 64](y, x, k)
    return y
}

