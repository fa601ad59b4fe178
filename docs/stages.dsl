kernel smooth(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 {
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    }
}

export fn smoothed(x: f64[n]) -> f64[n] {
    var y = x
    launch smooth[ceildiv(n, 64), 64](y, x + 1)
    return y
}
