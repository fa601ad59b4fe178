# A tree whose width is halved, differentiated twice: its turns are counted before the launch, with what stands outside
# the loop
kernel halved(y: inout f64[1], x: f64[n]) {
    shared sh: f64[4]
    let t = thread.x
    sh[t] = x[t]^3
    barrier
    var k = 2
    while k > 0 {
        if t < k { sh[t] = sh[t + k] * sh[t] }
        barrier
        k = k // 2
    }
    if t == 0 { y[0] = sh[0] }
}
fn halves(x: f64[n]) -> f64 {
    var y = [0.0 for i in 0:1]
    launch halved[1, 4](y, x)
    return y[0]
}
let x = [1.0 + i / 4 for i in 0:4]
let v = [cos(3.0 * i) for i in 0:4]
let h = hvp(halves)(x, v)
let step = 1e-5 * v
let differences = (grad(halves)(x + step) - grad(halves)(x - step)) / 2e-5
print(max(abs(h - differences)) < 1e-7 * max(abs(h)))
