# Updates in many planes of one array: those of other planes are no others, however many they are.
# RUN: dslc --emit=par %s -o - | FileCheck %s
# CHECK-LABEL: func @collect(
# CHECK-NOT: atomic(
# CHECK: return
kernel spread(y: inout f64[12, n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 2 and i < n - 2 {
        atomic y[0, i - 2 + 0] += x[i] * 1
        atomic y[1, i - 2 + 1] += x[i] * 2
        atomic y[2, i - 2 + 2] += x[i] * 3
        atomic y[3, i - 2 + 3] += x[i] * 4
        atomic y[4, i - 2 + 4] += x[i] * 5
        atomic y[5, i - 2 + 0] += x[i] * 6
        atomic y[6, i - 2 + 1] += x[i] * 7
        atomic y[7, i - 2 + 2] += x[i] * 8
        atomic y[8, i - 2 + 3] += x[i] * 9
        atomic y[9, i - 2 + 4] += x[i] * 10
        atomic y[10, i - 2 + 0] += x[i] * 11
        atomic y[11, i - 2 + 1] += x[i] * 12
    }
}
export fn collect(x: f64[n]) -> f64[12, n] {
    var y = zeros(f64, 12, n)
    launch spread[ceildiv(n, 64), 64](y, x)
    return y
}
# Two in one plane meet.
# CHECK-LABEL: func @twice(
# CHECK: atomic(
# CHECK: atomic(
# CHECK: return
kernel both(y: inout f64[2, n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 {
        atomic y[1, i - 1] += x[i]
        atomic y[1, i + 1] += x[i] * 2
        atomic y[0, i] += x[i] * 3
    }
}
export fn twice(x: f64[n]) -> f64[2, n] {
    var y = zeros(f64, 2, n)
    launch both[ceildiv(n, 64), 64](y, x)
    return y
}
print(sum(collect(ones(f64, 100))), sum(twice(ones(f64, 100))))
