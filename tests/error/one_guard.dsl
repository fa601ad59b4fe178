# One guard that is wrong is one error, however many accesses stand behind it; another end of the array is another.
kernel smooth(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i <= n {
        y[i] = (x[i] + 2*x[i] + x[i+1] + x[i-1]) / 4
    }
}
var y = zeros(f64, 100)
launch smooth[4, 32](y, ones(f64, 100))
print(y)
