# All pairs of bodies attract each other: one step of leap-frog
const n = 2048
const reps = 3
const soft = 1e-2

kernel kick(vx: inout f64[n], vy: inout f64[n], vz: inout f64[n], x: f64[n], y: f64[n], z: f64[n], m: f64[n], dt: f64) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    var ax = 0.0
    var ay = 0.0
    var az = 0.0
    for j in 0:n {
        let rx = x[j] - x[i]
        let ry = y[j] - y[i]
        let rz = z[j] - z[i]
        let d2 = rx * rx + ry * ry + rz * rz + soft
        let w = m[j] / (d2 * sqrt(d2))
        ax += w * rx
        ay += w * ry
        az += w * rz
    }
    vx[i] += dt * ax
    vy[i] += dt * ay
    vz[i] += dt * az
}

var x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
var y = [f64((i + 3000) * 7919 % 10007) / 10007.0 for i in 0:n]
var z = [f64((i + 6000) * 7919 % 10007) / 10007.0 for i in 0:n]
var vx = zeros(f64, n)
var vy = zeros(f64, n)
var vz = zeros(f64, n)
let m = full(1.0 / n, n)
launch kick[ceildiv(n, 64), 64](vx, vy, vz, x, y, z, m, 1e-3)
let start = time()
for r in 0:reps {
    x += 1e-3 * vx
    y += 1e-3 * vy
    z += 1e-3 * vz
    launch kick[ceildiv(n, 64), 64](vx, vy, vz, x, y, z, m, 1e-3)
}
let seconds = (time() - start) / reps
print("check", sum(x + y + z) + sum(vx * vx))
print("time", seconds)
