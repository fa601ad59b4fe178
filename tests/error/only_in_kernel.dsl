shared t: f32[4]
barrier
var a = [1.0]
atomic a[0] += 1.0
fn f(x: f64[n]) -> f64 {
    shared t: f64[4]
    barrier
    return x[thread.x] + f64(blockdim.y)
}
print(block.x, thread, griddim)
