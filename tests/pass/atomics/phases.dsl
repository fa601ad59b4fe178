# Between two barriers each thread comes to elements of its own, though in other phases other threads do: updates that are atomic
# in the launch are plain in the loops over threads.
# RUN: dslc --emit=loops %s -o - | FileCheck %s
# CHECK: func @slope
# CHECK: island(
# CHECK-NOT: atomic(
kernel layer(y: out f64[nb, 16], x: f64[nr, 16]) {
    shared tile: f64[8, 16]
    let (tx, ty) = (thread.x, thread.y)
    tile[ty, tx] = exp(x[block.x * 8 + ty, tx])
    barrier
    if ty < 4 { tile[ty, tx] = tile[ty, tx] * tile[ty + 4, tx] }
    barrier
    if ty < 2 { tile[ty, tx] = tile[ty, tx] * tile[ty + 2, tx] }
    barrier
    if ty == 0 { y[block.x, tx] = tile[0, tx] + tile[1, tx] }
}
fn total(x: f64[n, 16]) -> f64 {
    var y = zeros(f64, n // 8, 16)
    launch layer[n // 8, (16, 8)](y, x)
    return sum(y^2)
}
export fn slope(x: f64[n, 16]) -> f64[n, 16] = grad(total)(x)
