# Rodinia particlefilter: a bright disk moves through noise; particles with weights follow it (sequential importance
# small: side=32 frames=4 nparticles=700
# resampling).  The kernels are those of the suite's CUDA version.
import "random.dsl"
const side = 128
const frames = 10
const nparticles = 10000
const radius = 5

## A step of the 31-bit linear congruential generator of particle i
fn next_seed(s: i32) -> i32 = i32((1103515245 * int(s) + 12345) % 2147483647)
fn uniform01(s: i32) -> f64 = f64(s) / 2147483647

## Standard normal number from two steps of a generator
fn normal_from(s1: i32, s2: i32) -> f64 = sqrt(-2 * log(uniform01(s1))) * cos(2 * 3.14159265358979323846 * uniform01(s2))

kernel likelihood(x: inout f64[n], y: inout f64[n], weight: inout f64[n], partial: out f64[nblocks], seed: inout i32[n], video: u8[nf, ny, nx], dx: i32[m], dy: i32[m], frame: int) {
    shared buffer: f64[512]
    let t = thread.x
    let i = block.x * blockdim.x + t
    if i < n {
        let s1 = next_seed(seed[i])
        let s2 = next_seed(s1)
        let s3 = next_seed(s2)
        seed[i] = next_seed(s3)
        x[i] += 1 + 5 * normal_from(s1, s2)
        y[i] += -2 + 2 * normal_from(s3, seed[i])
        var sum = 0.0
        for k in 0:m {
            let ix = int(round(x[i])) + dx[k]
            let iy = int(round(y[i])) + dy[k]
            let inside = ix >= 0 and ix < nx and iy >= 0 and iy < ny
            let v = f64(if inside { video[frame, iy, ix] } else { video[0, 0, 0] })
            sum += ((v - 100)^2 - (v - 228)^2) / 50
        }
        weight[i] *= exp(sum / m)
    }
    buffer[t] = if i < n { weight[i] } else { 0.0 }
    barrier
    var half = blockdim.x // 2
    while half > 0 {
        if t < half { buffer[t] += buffer[t + half] }
        barrier
        half //= 2
    }
    if t == 0 { partial[block.x] = buffer[0] }
}

kernel normalize(weight: inout f64[n], total: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n { weight[i] /= total }
}

## Particle i takes the place of the first one whose sum of weights reaches u.
kernel resample(newx: out f64[n], newy: out f64[n], weight: out f64[n], x: f64[n], y: f64[n], cdf: f64[n], u1: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        let u = u1 + i / n
        var index = n - 1
        for k in 0:n {
            if cdf[k] >= u {
                index = k
                break
            }
        }
        newx[i] = x[index]
        newy[i] = y[index]
        weight[i] = 1 / n
    }
}

fn track(video: u8[nf, ny, nx], seed0: i32[n], dx: i32[m], dy: i32[m], startx: f64, starty: f64) -> f64[nf, 2] {
    var place = zeros(f64, nf, 2)
    place[0, 0] = startx
    place[0, 1] = starty
    var x = full(startx, n)
    var y = full(starty, n)
    var weight = full(1 / n, n)
    var seed = seed0
    for frame in 1:nf {
        var partial = zeros(f64, ceildiv(n, 512))
        launch likelihood[ceildiv(n, 512), 512](x, y, weight, partial, seed, video, dx, dy, frame)
        launch normalize[ceildiv(n, 512), 512](weight, sum(partial))
        place[frame, 0] = sum(x * weight)
        place[frame, 1] = sum(y * weight)
        let cdf = cumsum(weight)
        seed[0] = next_seed(seed[0])
        var newx = zeros(f64, n)
        var newy = zeros(f64, n)
        launch resample[ceildiv(n, 512), 512](newx, newy, weight, x, y, cdf, uniform01(seed[0]) / n)
        x = newx
        y = newy
    }
    return place
}

# The disk starts in the middle and goes one column to the right and two rows up in each frame.
let centre = side // 2
let width = 2 * radius - 1
let count = sum(if (i - radius + 1)^2 + (j - radius + 1)^2 < radius^2 { 1 } else { 0 } for i in 0:width, j in 0:width)
var dx = zeros(i32, count)
var dy = zeros(i32, count)
var k = 0
for i in 0:width {
    for j in 0:width {
        if (i - radius + 1)^2 + (j - radius + 1)^2 < radius^2 {
            dx[k] = i32(i - radius + 1)
            dy[k] = i32(j - radius + 1)
            k += 1
        }
    }
}
let video = [u8((if (x - centre - f)^2 + (y - centre + 2 * f)^2 < radius^2 { 228 } else { 100 }) + int(mix((f * side + y) * side + x) % 21) - 10) for f in 0:frames, y in 0:side, x in 0:side]
let seed = [i32((i * 7919 + 12345) % 2147483647) for i in 0:nparticles]
let start = time()
let place = track(video, seed, dx, dy, f64(centre), f64(centre))
let seconds = time() - start
print("check", sum(place[i, j] * (1 + 2 * i + j) for i in 0:frames, j in 0:2), place[frames - 1, 0], place[frames - 1, 1])
print("time", seconds)
