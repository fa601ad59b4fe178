# A derivative with a seed in two functions: what the backward one takes is what it reads of the forward one
# RUN: dslc --emit=stablehlo --size=n=8 --function=pulled:s --function=plain %s | FileCheck %s
# RUN: (dslc --emit=stablehlo --size=n=8 --function=pulled:q %s 2>&1 || echo "status $?") | FileCheck --check-prefix=SEED %s
# SEED: error[E0797]: there is no parameter 'q' of 'pulled'
# SEED: status 1
# RUN: (dslc --emit=stablehlo --size=n=8 --function=pull:s %s 2>&1 || true) | FileCheck --check-prefix=NAME %s
# NAME: error[E0796]: there is no exported function 'pull'

# CHECK: @pulled_forward(%x: tensor<8xf64>, %k: tensor<f64>) -> (tensor<8xf64>, tensor<{{.*}}5x8xf64>{{.*}}) {
# CHECK: stablehlo.while
# CHECK-NOT: %s
# CHECK: // The first 1 are the function's results, the others are kept for @pulled_backward
# CHECK: @pulled_backward({{.*}}%s: tensor<8xf64>) -> (tensor<8xf64>, tensor<f64>)
# CHECK: stablehlo.while
# CHECK-NOT: stablehlo.while
# CHECK: return {{.*}} : tensor<8xf64>, tensor<f64>
fn steps(x: f64[n], k: f64) -> f64[n] {
    var y = x
    for t in 0:5 { y = y + k * sin(y) }
    return y
}
export fn pulled(x: f64[n], k: f64, s: f64[n]) -> (f64[n], f64[n], f64) {
    let (y, g) = vjp(steps, wrt=(x, k))(x, k, s)
    return (y, g.0, g.1)
}
# CHECK: @plain(
# CHECK-NOT: @other
export fn plain(x: f64[n]) -> f64[n] = 2 * x
export fn other(x: f64[n]) -> f64[n] = 3 * x
