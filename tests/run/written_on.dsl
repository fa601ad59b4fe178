# A launch that writes part of what another one has written whole: nothing is missed, so nothing is warned of
kernel set(y: out f64[n], v: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = v }
}
var y = zeros(f64, 64)
launch set[1, 64](y, 1.0)
for t in 0:3 { launch set[1, 32](y, f64(t)) }
print(sum(y), y[31], y[32])
