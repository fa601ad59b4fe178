# RUN: dslc --emit=par %s | FileCheck %s
# What depends on some of a launch's indices is computed once for each of those, before the launch.

# rows, of a thread for each element
# CHECK-LABEL: main @main
# CHECK: [[T:%[0-9]+]] = generate : f64[n{{.*}}] {
# CHECK: reduce(%{{[0-9]+}}) {kind = add}
# CHECK: island(%{{.*}}, %{{.*}}, [[T]]) {modes = [1, 0, 0], name = "rows"}
# CHECK-NOT: reduce
# CHECK: div
kernel rows(y: out f64[n, m], x: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m { y[i, j] = x[i, j] / sum(x[i]) }
}
# columns, by a loop; threads that end early
# CHECK: [[T:%[0-9]+]] = generate : f64[m{{.*}}] {
# CHECK: for(
# CHECK: island(%{{.*}}, %{{.*}}, [[T]]) {modes = [1, 0, 0], name = "columns"}
# CHECK-NOT: for(
# CHECK: store
kernel columns(y: out f64[n, m], x: f64[n, m]) {
    let i = thread.y + block.y * blockdim.y
    let j = thread.x + blockdim.x * block.x
    if j >= m { return }
    var s = 0.0
    for k in 0:n { s += x[k, j] }
    if i < n { y[i, j] = x[i, j] - s }
}
# a chain: one table, or two, but each row once
# CHECK: generate : f64[n{{.*}}] {
# CHECK: kind = max
# CHECK: generate : f64[n{{.*}}] {
# CHECK: exp
# CHECK: name = "softmax"
# CHECK-NOT: reduce
# CHECK: store
kernel softmax(y: out f64[n, m], x: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m {
        let big = max(x[i])
        y[i, j] = exp(x[i, j] - big) / sum(exp(x[i, k] - big) for k)
    }
}
# a branch that asks for the same index comes along, so that the row is there
# CHECK: generate : f64[n{{.*}}] {
# CHECK: if(
# CHECK: reduce
# CHECK: name = "some"
# CHECK-NOT: reduce
# CHECK: store
kernel some(y: out f64[n, m], x: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m {
        if i + 1 < n { y[i, j] = sum(x[i + 1, k]^2 for k) } else { y[i, j] = x[i, j] }
    }
}
# it stays: rows of what is written here; of all indices; where only another index says that the row is there
# CHECK: name = "own"
# CHECK: reduce
kernel own(y: inout f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j == 0 { y[i, j] = sum(y[i, k] for k in 1:m) }
}
# CHECK: name = "all"
# CHECK: reduce
kernel all(y: out f64[n, m], x: f64[n, m], w: f64[3]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j + 2 < m { y[i, j] = sum(w[k] * x[i, j + k] for k) }
}
# CHECK: name = "below"
# CHECK: reduce
kernel below(y: out f64[n, m], w: f64[l, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m and i + j < l { y[i, j] = sum(w[i, k] for k) }
}
fn go(n: int, m: int) {
    let x = [f64(i + j + 1) for i in 0:n, j in 0:m]
    let w = [f64(i - j) for i in 0:3, j in 0:m]
    var y = zeros(f64, n, m)
    launch rows[(ceildiv(m, 8), ceildiv(n, 4)), (8, 4)](y, x)
    print(sum(y))
    launch columns[(ceildiv(m, 8), ceildiv(n, 4)), (8, 4)](y, x)
    print(sum(y))
    launch softmax[(ceildiv(m, 8), ceildiv(n, 4)), (8, 4)](y, x)
    print(sum(y))
    launch some[(ceildiv(m, 8), ceildiv(n, 4)), (8, 4)](y, x)
    print(sum(y))
    launch own[(ceildiv(m, 8), ceildiv(n, 4)), (8, 4)](y)
    print(sum(y))
    launch all[(ceildiv(m, 8), ceildiv(n, 4)), (8, 4)](y, x, [1.0, 2.0, 3.0])
    print(sum(y))
    launch below[(ceildiv(m, 8), ceildiv(n, 4)), (8, 4)](y, w)
    print(sum(y))
}
for n in [2, 9] { go(n, 2 * n) }
