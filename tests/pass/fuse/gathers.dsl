# What is gathered from is not made, where it only moves elements, or where fewer are read than there are.  Indices are
# asked for whether they are in what was written.
# RUN: dslc --emit=loops %s -o - | FileCheck %s
# CHECK-LABEL: export func @of_gather
# CHECK-COUNT-1: empty
# CHECK-NOT: empty
export fn of_gather(x: f64[n], i: int[m], j: int[k]) -> f64[k] = x[i][j]
# CHECK-LABEL: export func @of_rows
# CHECK-COUNT-1: empty
# CHECK-NOT: empty
export fn of_rows(x: f64[n, m], i: int[k], j: int[l]) -> f64[l, m] = x[i][j]
# CHECK-LABEL: export func @of_slice
# CHECK-COUNT-1: empty
# CHECK: check({{.*}}"index {} is out of bounds for axis 0 with size {}"
# CHECK-NOT: empty
export fn of_slice(x: f64[n], i: int[m]) -> f64[m] = x[2:n - 1][i]
# CHECK-LABEL: export func @of_reverse
# CHECK-COUNT-1: empty
# CHECK-NOT: empty
export fn of_reverse(x: f64[n], i: int[m]) -> f64[m] = x[::-1][i]
# CHECK-LABEL: export func @of_turned
# CHECK-COUNT-1: empty
# CHECK-COUNT-1: check(
# CHECK-NOT: {{empty|check}}
export fn of_turned(x: f64[n, m], i: int[k]) -> f64[k, n] = x.T[i]
# CHECK-LABEL: export func @of_one
# CHECK-COUNT-1: empty
# CHECK-NOT: empty
export fn of_one(x: f64[n], i: int[m]) -> f64[m] = [x[2] for t in 0:n][i]
# CHECK-LABEL: export func @of_numbers
# CHECK-COUNT-1: empty
# CHECK-NOT: empty
export fn of_numbers(n: int, i: int[m]) -> int[m] = [3 * t + 1 for t in 0:n][i]
# CHECK-LABEL: export func @by_numbers
# CHECK-COUNT-1: empty
# CHECK-NOT: empty
export fn by_numbers(x: f64[n], k: int) -> f64[4] = x[[k + 2 * t for t in 0:4]]
# CHECK-LABEL: export func @part
# CHECK-COUNT-1: empty : f64[4]
# CHECK-NOT: empty
export fn part(x: f64[n], i: int[m]) -> f64[4] = x[i][2:6]
# CHECK-LABEL: export func @few
# CHECK-COUNT-1: empty : f64[3]
# CHECK-NOT: empty
export fn few(x: f64[n], i: int[3]) -> f64[3] = exp(x)[i]
# CHECK-LABEL: export func @diagonals
# CHECK-COUNT-1: empty
# CHECK-NOT: empty
export fn diagonals(x: f64[n, n], i: int[m]) -> f64[m] = [x.T[i[k], (i[k] + 1) % n] for k in 0:m]

# Of as many, or more, what computes is done once for each.
# CHECK-LABEL: export func @many
# CHECK: empty : f64[n]
# CHECK: exp
# CHECK: empty : f64[m]
export fn many(x: f64[n], i: int[m]) -> f64[m] = exp(x)[i]
# CHECK-LABEL: export func @again
# CHECK: empty : f64[m]
# CHECK: empty : f64[k]
export fn again(x: f64[n], i: int[m], j: int[k]) -> (f64[k], f64) {
    let y = x[i] * x[i]
    return (y[j], y[0])
}
