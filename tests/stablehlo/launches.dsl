# Launches are operations of whole arrays: guards become sizes, neighbours slices, shared memory an array for each block.
# RUN: dslc --emit=stablehlo --size=n=100 --size=m=64 --size=a=5 --size=b=6 --size=c=7 %s | FileCheck %s
# RUN: dslc --emit=stablehlo --size=n=100 --size=m=64 --size=a=5 --size=b=6 --size=c=7 %s | FileCheck --check-prefix=NONE %s
# NONE-NOT: {{gather|scatter"}}

kernel smooth(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 { y[i] = (x[i - 1] + x[i + 1]) / 2 }
}
# All but the ends: chosen from an array of the size of y.
# CHECK: @smoothed(%x: tensor<100xf64>) -> (tensor<100xf64>)
# CHECK: stablehlo.slice %x [0:98]
# CHECK: stablehlo.slice %x [2:100]
# CHECK: stablehlo.pad {{.*}} low = [1], high = [1]
# CHECK: stablehlo.select
export fn smoothed(x: f64[n]) -> f64[n] {
    var y = x
    launch smooth[ceildiv(n, 32), 32](y, x)
    return y
}

# Backwards, in steps, in three axes that change places
kernel back(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[n - 1 - i] = x[i] }
}
# CHECK: @turned
# CHECK: %[[R:.*]] = stablehlo.reverse %x, dims = [0]
# CHECK-NEXT: return %[[R]]
export fn turned(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    launch back[ceildiv(n, 32), 32](y, x)
    return y
}
kernel every_other(y: out f64[2 * n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[2 * i + 1] = x[i] }
}
# CHECK: @apart
# CHECK: stablehlo.pad %x, {{.*}} low = [1], high = [0], interior = [1]
export fn apart(x: f64[n]) -> f64[2 * n] {
    var y = ones(f64, 2 * n)
    launch every_other[ceildiv(n, 32), 32](y, x)
    return y
}
# CHECK: @axes
# CHECK: %[[T:.*]] = stablehlo.transpose %x, dims = [2, 0, 1]
# CHECK-NEXT: return %[[T]]
export fn axes(x: f64[a, b, c]) -> f64[c, a, b] {
    var y = zeros(f64, c, a, b)
    parallel for i in 0:a, j in 0:b, k in 0:c { y[k, i, j] = x[i, j, k] }
    return y
}

# Blocks that add up in shared memory: a loop over the steps, none over blocks and threads
kernel block_sum(y: out f64[b], x: f64[b, m]) {
    shared s: f64[m]
    let t = thread.x
    s[t] = x[block.x, t]
    barrier
    var half = m // 2
    while half > 0 {
        if t < half { s[t] += s[t + half] }
        barrier
        half //= 2
    }
    if t == 0 { y[block.x] = s[0] }
}
# CHECK: @sums(%x: tensor<6x64xf64>)
# CHECK: stablehlo.while
# CHECK-SAME: tensor<6x64xf64>
# CHECK-NOT: stablehlo.while
# CHECK: return {{.*}} : tensor<6xf64>
export fn sums(x: f64[b, m]) -> f64[b] {
    var y = zeros(f64, b)
    launch block_sum[b, m](y, x)
    return y
}
