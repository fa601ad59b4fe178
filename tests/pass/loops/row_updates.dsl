# A loop that adds rows to those that data name is one island, without an array for each row; one whose part reads other
# elements of the array than it replaces is not.
# RUN: dslc --emit=loops %s | FileCheck %s
export fn sums(points: f64[n, d], label: int[n], k: int) -> f64[k, d] {
    var total = zeros(f64, k, d)
    for i in 0:n { total[label[i]] += points[i] }
    return total
}
# CHECK-LABEL: func @sums
# CHECK-NOT: for(
# CHECK: island({{.*}}modes = [2
# CHECK-NOT: island(
# CHECK: for(
# CHECK-NOT: empty
# CHECK-NOT: island(
# CHECK: return
export fn turned(b: f64[n, d], label: int[n]) -> f64[9, d] {
    var x = zeros(f64, 9, d)
    for i in 0:n { x[label[i]] = [x[label[i], d - 1 - j] + b[i, j] for j in 0:d] }
    return x
}
# CHECK-LABEL: func @turned
# CHECK: for(
# CHECK: empty
# CHECK: return
