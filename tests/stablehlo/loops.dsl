# Loops in steps count their turns; those of one turn, or none, are no loops.
# RUN: dslc --emit=stablehlo --size=n=6 --size=m=6 %s | FileCheck %s

# CHECK: @by_three(
# CHECK: stablehlo.while(%[[T:[a-z0-9]*]] = %{{.*}}) : tensor<i64>, tensor<6x6xf64>
# CHECK: stablehlo.constant dense<2> : tensor<i64>
# CHECK-NEXT: stablehlo.compare LT, %[[T]],
# CHECK: stablehlo.multiply %[[T]],
export fn by_three(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 1:n:3 { y[i, :] += y[i - 1, :] }
    return y
}
# CHECK: @once(
# CHECK-NOT: while
# CHECK: return
export fn once(x: f64[n]) -> f64[n] {
    var y = x
    for i in 0:n:7 { y[i] += 1 }
    for i in n:n - 1:2 { y[i - 1] = 0.0 }
    return y
}
# Where a loop begins is not said of ints: XLA would count its turns
# CHECK: @odd_steps(
# CHECK: %[[B:.*]] = stablehlo.optimization_barrier %k
# CHECK: stablehlo.while({{.*}} = %[[B]]
export fn odd_steps(k: int) -> int {
    var (i, sum) = (k, 0)
    while i < 100 { sum = (sum * 3 + i) % 1000; i += if sum > 500 { 7 } else { 11 } }
    return sum
}
# A part of a square array: two conditions, each along an axis of its own
# CHECK: @square(
# CHECK: %[[ROWS:.*]] = stablehlo.broadcast_in_dim %[[LESS:.*]], dims = [0] : (tensor<6xi1>)
# CHECK: %[[COLUMNS:.*]] = stablehlo.broadcast_in_dim %[[LESS]], dims = [1]
# CHECK: stablehlo.and %[[ROWS]], %[[COLUMNS]]
export fn square(x: f64[n, m]) -> f64[n, m] {
    var y = x
    y[0:-1, 0:-1] = x[1:, 1:]
    return y
}
# A check of all elements at once is one bool
# CHECK: @quotients(
# CHECK: stablehlo.reduce({{.*}}) applies stablehlo.or across dimensions = [0] : (tensor<6xi1>, tensor<i1>) -> tensor<i1>
# CHECK: return {{.*}} : tensor<6xi64>, tensor<i32>
# CHECK: E0602: integer division or modulo by zero
export fn quotients(x: int[n], y: int[n]) -> int[n] = x // y
