# Threads along y are neighbours on a GPU where the program reads and writes rows along y, unless memory of the block is shared.
# RUN: dslc --emit=ptx %s | FileCheck %s
# CHECK: _turned_kernel(
# CHECK: mov.u32 [[ROW:%r[0-9]+]], %tid.y;
# CHECK: shl.b32 %r{{[0-9]+}}, [[ROW]], 6;
# CHECK: _usual_kernel(
# CHECK: mov.u32 [[USUAL:%r[0-9]+]], %tid.y;
# CHECK: shl.b32 %r{{[0-9]+}}, [[USUAL]], 3;
# CHECK: _sharing_kernel(
# CHECK: mov.u32 [[SHARED:%r[0-9]+]], %tid.x;
# CHECK: shl.b32 %r{{[0-9]+}}, [[SHARED]], 6;
kernel turned_kernel(y: out f32[8, 64]) { y[thread.x, thread.y] = f32(3) }
kernel usual_kernel(y: out f32[64, 8]) { y[thread.y, thread.x] = f32(3) }
kernel sharing_kernel(y: out f32[8, 64], x: f32[64]) {
    shared s: f32[64]
    if thread.x == 0 { s[thread.y] = x[thread.y] }
    barrier
    y[thread.x, thread.y] = s[63 - thread.y]
}
export fn turned() -> f32[8, 64] {
    var y = zeros(f32, 8, 64)
    launch turned_kernel[1, (8, 64)](y)
    return y
}
export fn usual() -> f32[64, 8] {
    var y = zeros(f32, 64, 8)
    launch usual_kernel[1, (8, 64)](y)
    return y
}
export fn sharing(x: f32[64]) -> f32[8, 64] {
    var y = zeros(f32, 8, 64)
    launch sharing_kernel[1, (8, 64)](y, x)
    return y
}
