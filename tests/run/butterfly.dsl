kernel sums(y: inout f64[n]) {
    shared s: f64[64]
    let t = thread.x
    s[t] = y[t]
    barrier
    for e in 0:6 {
        let v = s[t xor (1 << e)]
        barrier
        s[t] += v
        barrier
    }
    y[t] = s[t]
}
kernel sums2(y: inout f64[n]) {
    shared s: f64[64]
    let t = thread.x
    s[t] = y[t]
    barrier
    var m = 32
    while m > 0 {
        let v = s[t xor m]
        barrier
        s[t] += v
        barrier
        m //= 2
    }
    y[t] = s[t]
}
kernel pairs(y: inout f64[n]) {
    let t = block.x * blockdim.x + thread.x
    let other = t xor 1
    if other < n and t < other {
        let a = y[t]
        y[t] = y[other]
        y[other] = a
    }
}
kernel flipped(y: out f64[n], x: f64[n]) {
    let t = block.x * 64 + thread.x
    y[t xor 3] = x[t]
}
kernel flipped2(y: out f64[n], x: f64[n]) {
    let t = block.x * 64 + thread.x
    y[t xor 20] = x[t]
}
kernel buffers(y: inout f64[n]) {
    shared s: f64[2, 64]
    let t = thread.x
    s[0, t] = y[t]
    barrier
    for e in 0:6 {
        s[(e + 1) % 2, t] = s[e % 2, t] + s[e % 2, t xor (1 << e)]
        barrier
    }
    y[t] = s[0, t]
}
kernel fft(re: inout f64[n], im: inout f64[n]) {
    shared s: f64[64]
    let t = thread.x
    s[t] = re[t]
    s[t + 32] = re[t + 32]
    var half = 1
    while half < 64 {
        barrier
        let k = t & (half - 1)
        let i = 2 * t - k
        let a = s[i]
        let b = s[i + half]
        s[i] = a + b
        s[i + half] = a - b
        half *= 2
    }
    barrier
    re[t] = s[t]
    im[t] = s[t + 32]
}
var y = [f64(i * 37 % 64) for i in 0:64]
launch sums[1, 64](y)
launch sums2[1, 64](y)
launch pairs[1, 64](y)
launch flipped[1, 64](y, y + 1)
launch flipped2[1, 64](y, y + 1)
launch buffers[1, 64](y)
var z = y
launch fft[1, 32](y, z)
print(y)
