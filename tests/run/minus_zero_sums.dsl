# Sums of floats by atomic in a launch that begin with -0.0: what nobody adds to stays so, what 0.0 is added to does not,
# whoever adds up first (lower/counts_device.c)
kernel known(h: inout f64[8], g: inout f32[8], at: int[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        atomic h[at[i]] += x[i]
        atomic g[at[i]] += f32(x[i])
    }
}
kernel unknown(h: inout f64[m], at: int[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic h[at[i]] += x[i] }
}
fn signs(h: f64[m]) -> f64[m] = [1 / x for x in h]
fn all(at: int[n], x: f64[n], start: f64, m: int) {
    var h = full(start, 8)
    var g = full(f32(start), 8)
    var k = full(start, m)
    launch known[ceildiv(n, 64), 64](h, g, at, x)
    launch unknown[ceildiv(n, 64), 64](k, at, x)
    print(signs(h), signs([f64(v) for v in g]), signs(k))
}
# 0: nothing, 1: 0.0, 2: 1 - 1, 3: -0.0, 4: 4, 5: -0.0 and 0.0, 6: 0.0 in another block, 7: -0.0 in two blocks
let at = [if i < 8 { [1, 2, 2, 3, 4, 5, 5, 7][i] } else { [6, 7, 3][i % 3] } for i in 0:100]
let x = [if i < 8 { [0.0, 1.0, -1.0, -0.0, 4.0, -0.0, 0.0, -0.0][i] } else { [0.0, -0.0, -0.0][i % 3] } for i in 0:100]
all(at, x, -0.0, 9)
all(at, x, 0.0, 9)
all(at, x, -4.0, 8)
