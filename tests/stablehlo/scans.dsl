# Scans are trees of as much work as they have elements; loops whose turns go their own ways are done at once
# RUN: dslc --emit=stablehlo --size=n=40 --size=m=6 --size=k=3 %s | FileCheck %s

# Pairs, pairs of pairs, and back; of few elements in order
# CHECK: @running(
# CHECK: stablehlo.slice %x [0:40:2]
# CHECK-NEXT: stablehlo.add {{.*}} : tensor<20xf64>
# CHECK: stablehlo.add {{.*}} : tensor<10xf64>
# CHECK: stablehlo.concatenate {{.*}} -> tensor<10xf64>
# CHECK: stablehlo.pad {{.*}} low = [1], high = [0], interior = [1] {{.*}} -> tensor<20xf64>
# CHECK-NOT: while
# CHECK: return
export fn running(x: f64[n]) -> f64[n] = cumsum(x)
# CHECK: @few(
# CHECK-COUNT-5: stablehlo.maximum {{.*}} : tensor<1xi64>
# CHECK-NEXT: stablehlo.concatenate
# CHECK-NEXT: return
export fn few(x: int[m]) -> int[m] = scan(max, x)
# CHECK: @odd(
# CHECK: stablehlo.pad {{.*}} low = [1], high = [1], interior = [1] {{.*}} -> tensor<39xf64>
# CHECK: return
export fn odd(x: f64[n]) -> f64[n - 1] = cumprod(x[1:])
# By a function of the program: what changes nothing is not asked
# CHECK: @reset(
# CHECK: stablehlo.select {{.*}} tensor<20xf64>
# CHECK: return {{.*}} : tensor<40xf64>
export fn reset(x: f64[n]) -> f64[n] = scan(fn(a, b) => if b < 0 { b } else { a + b }, x)
# Bools have no sum: the halves are put together by `or`
# CHECK: @seen(
# CHECK: stablehlo.or {{.*}} : tensor<40xi1>
# CHECK-NEXT: return
export fn seen(x: f64[n]) -> bool[n] = scan(fn(a, b) => a or b, [v > 0 for v in x])

# Along an axis, in all lines at once, and so from the other end for its derivative
# CHECK: @down(
# CHECK-NOT: while
# CHECK: stablehlo.add {{.*}} : tensor<6x20xf64>
# CHECK-NOT: while
# CHECK: return
export fn down(x: f64[n, m]) -> f64[n, m] = cumsum(x, axis=0)
# CHECK: @middle(
# CHECK-NOT: {{while|scatter|gather}}
# CHECK: return
export fn middle(x: f64[k, n, m]) -> f64[k, n, m] = cumsum(x, axis=1)
# CHECK: @slope(
# CHECK-NOT: {{while|scatter|gather}}
# CHECK: return
export fn slope(x: f64[n, m]) -> f64[n, m] = grad(fn(x) => sum(cumsum(x, axis=0)^2))(x)

# Rows by a function of rows; the index forward, backward, shifted, by a number of the program's
# CHECK: @rows(
# CHECK-NOT: {{while|scatter|gather}}
# CHECK: return
export fn rows(x: f64[n, m]) -> f64[n, m] = [cumsum(x[i]) * max(x[i]) for i in 0:n]
# CHECK: @backward(
# CHECK-NOT: {{while|scatter|gather}}
# CHECK: return
export fn backward(x: f64[n, m]) -> f64[m, n] {
    var y = zeros(f64, m, n)
    for i in 0:n { y[:, n - 1 - i] = 2 * x[i] + y[:, n - 1 - i] }
    return y
}
# CHECK: @elements(
# CHECK-NOT: {{while|scatter|gather}}
# CHECK: return
export fn elements(x: f64[n]) -> f64[n + 2] {
    var y = zeros(f64, n + 2)
    for i in 0:n:2 { y[i + 1] = sin(x[i]) }
    return y
}
# CHECK: @from(
# CHECK-NOT: while
# CHECK: return
export fn from(x: f64[n, m], at: int) -> f64[n, m] {
    var y = x
    for i in 0:3 { y[at + i] = 2 * x[i] }
    return y
}
# A turn reads what the one before has written; another place than its own; all of it; or writes a place twice
# CHECK: @sequence(
# CHECK: stablehlo.while
# CHECK: @before(
# CHECK: stablehlo.while
# CHECK: @whole(
# CHECK: stablehlo.while
# CHECK: @last(
# CHECK: stablehlo.while
export fn sequence(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 1:n { y[i] = sin(y[i - 1]) }
    return y
}
export fn before(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 0:n - 1 { y[i] = y[i + 1] + x[i] }
    return y
}
export fn whole(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 0:n { y[i] = x[i] + sum(y) }
    return y
}
export fn last(x: f64[n]) -> f64[n] {
    var y = x
    for i in 0:n { y[i // 2] = x[i] }
    return y
}
# Turns with enough to do
# CHECK: @large(
# CHECK: stablehlo.while
export fn large(x: f64[k, 300, 300]) -> f64[k, 300, 300] = [x[i] @ x[i] for i in 0:k]
