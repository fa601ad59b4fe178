# Comprehensions, reductions, scans and derivatives as operations of whole arrays
# RUN: dslc --emit=stablehlo --size=n=8 --size=m=5 --size=k=3 %s | FileCheck %s

# A product of matrices that is written as sums
# CHECK: @product
# CHECK: stablehlo.dot_general %a, %b, batching_dims = [] x [], contracting_dims = [1] x [0]
export fn product(a: f64[n, m], b: f64[m, k]) -> f64[n, k] = a @ b
# CHECK: @rows
# CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<8x5xf64>, tensor<f64>) -> tensor<8xf64>
export fn rows(a: f64[n, m]) -> f64[n] = [sum(a[i, j]^2 for j) for i in 0:n]
# A window is few slices side by side; what goes by data is gathered, what is added by data scattered
# CHECK: @windows
# CHECK-COUNT-3: stablehlo.slice %x
# CHECK-NOT: gather
# CHECK: @by_data
# CHECK: "stablehlo.gather"(%table, %{{.*}}offset_dims = [1], collapsed_slice_dims = [0]
export fn windows(x: f64[n], w: f64[3]) -> f64[n - 2] = [sum(x[i + a] * w[a] for a in 0:3) for i in 0:n - 2]
export fn by_data(table: f64[n, m], at: int[k]) -> f64[k, m] = [table[at[i], j] for i in 0:k, j in 0:m]
# Its index is not known to be inside: the last result says whether it was.
# CHECK: return {{.*}} : tensor<3x5xf64>, tensor<i32>
# CHECK: // 1: arrays.dsl:[[#@LINE-3]]:{{.*}}: E0601: an index is out of bounds for axis 0
# CHECK: @counted
# CHECK: "stablehlo.scatter"
# CHECK: stablehlo.add %old, %new
kernel count(h: inout int[k], at: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic h[at[i]] += 1 }
}
export fn counted(at: int[n], k: int) -> int[k] {
    var h = zeros(int, k)
    launch count[ceildiv(n, 4), 4](h, at)
    return h
}
# The derivative of a sum of neighbours gathers: paddings, no scatter
# CHECK: @slope
# CHECK: stablehlo.pad
# CHECK-NOT: scatter
# CHECK: return {{.*}} : tensor<8xf64>
export fn slope(x: f64[n]) -> f64[n] = grad(fn(x) => sum([(x[i + 1] - x[i])^2 for i in 0:n - 1]))(x)
# A row of an array in a loop: a part that begins where the index says
# CHECK: @steps
# CHECK: stablehlo.while
# CHECK: stablehlo.dynamic_slice {{.*}} sizes = [1, 5]
# CHECK: stablehlo.dynamic_update_slice
# CHECK-NOT: gather
# CHECK-NOT: scatter
# CHECK: return {{.*}} : tensor<8x5xf64>
export fn steps(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 1:n { y[i, :] = y[i - 1, :] * 0.5 + x[i, :] }
    return y
}
# Turns with arrays of different sizes are written out
# CHECK: @growing
# CHECK-NOT: while
# CHECK: tensor<7xf64>
# CHECK: return
export fn growing(x: f64[n]) -> f64 {
    var s = 0.0
    for i in 1:n { s += max(x[0:i]) }
    return s
}
