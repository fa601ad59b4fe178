# Launches whose threads read neighbours along y or z: on a GPU a thread does the work of several, and blocks become wide.
# What the program sees of its threads, blocks and their sizes stays, whatever the sizes are.
fn sum2(x: f64[n, m]) -> f64 = sum(x[i, j] * f64(1 + (i * 31 + j * 17) % 101) for i in 0:n, j in 0:m)
fn total(x: f64[n, m, k]) -> f64 =
    sum(x[i, j, l] * f64(1 + (i * 31 + j * 17 + l * 7) % 101) for i in 0:n, j in 0:m, l in 0:k)

kernel inner(next: out f64[n, m], u: f64[n, m]) {
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if y >= 1 and y < n - 1 and x >= 1 and x < m - 1 {
        next[y, x] = u[y, x] + 0.2 * (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1] - 4 * u[y, x])
    }
}
# Guards one in the other, another side, and where each thread was
kernel sides(next: out f64[n, m], where: out int[n, m], u: f64[n, m]) {
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if x < m {
        if y < n {
            where[y, x] = thread.x + 100 * thread.y + 10000 * block.x + 1000000 * block.y + 7 * blockdim.y
            if y > 0 and y + 1 < n { next[y, x] = u[y - 1, x] + 3 * u[y, x] - u[y + 1, x] } else { next[y, x] = -u[y, x] }
        }
    }
}
kernel leaves(next: out f64[n, m], u: f64[n, m]) {
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if y >= n - 1 or x >= m { return }
    next[y, x] = u[y + 1, x] - u[y, x]
}
# Every second element, of what the others have
kernel colour(u: inout f64[n, m], which: int) {
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if y >= 1 and y < n - 1 and x >= 1 and x < m - 1 and (x + y) % 2 == which {
        u[y, x] = (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1]) / 4
    }
}
# Rows one behind the other in a vector; single precision
kernel flat(next: out f32[nm], u: f32[nm], n: int, m: int) {
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if y >= 1 and y < n - 1 and x < m and n * m <= nm and m >= 0 {
        next[y * m + x] = u[(y - 1) * m + x] + u[y * m + x] * 2 + u[(y + 1) * m + x]
    }
}
kernel space(next: out f64[n, m, k], u: f64[n, m, k]) {
    let z = block.z * blockdim.z + thread.z
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if z >= 1 and z < n - 1 and y >= 1 and y < m - 1 and x >= 1 and x < k - 1 {
        next[z, y, x] = 0.4 * u[z, y, x] + 0.1 * (u[z - 1, y, x] + u[z + 1, y, x] + u[z, y - 1, x] + u[z, y + 1, x]
                                                  + u[z, y, x - 1] + u[z, y, x + 1])
    }
}
# One plane for each block
kernel planes(next: out f64[n, m, k], u: f64[n, m, k]) {
    let z = block.z
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if z < n - 1 and y < m and x < k { next[z, y, x] = u[z, y, x] + 2 * u[z + 1, y, x] }
}

fn plane(n: int, m: int) {
    let u = [f64((i * m + j) * 7919 % 1009) / 1009 for i in 0:n, j in 0:m]
    let flat_u = [f32(i * 7919 % 1009) / 1009 for i in 0:n * m]
    var a = u
    launch inner[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](a, u)
    var b = u
    launch inner[(ceildiv(m, 64), ceildiv(n, 4)), (64, 4)](b, u)
    var c = u
    launch inner[(ceildiv(m, 128), ceildiv(n, 2)), (128, 2)](c, u)
    var d = u
    launch inner[(ceildiv(m, 256), n), (256, 1)](d, u)
    var e = u
    launch inner[(ceildiv(m, 24), ceildiv(n, 12)), (24, 12)](e, u)
    var f = u
    launch inner[(ceildiv(m, 512), ceildiv(n, 2)), (512, 2)](f, u)
    print(n, m, sum2(a), sum2(b), sum2(c), sum2(d), sum2(e), sum2(f))
    var next = u
    var where = zeros(int, n, m)
    launch sides[(ceildiv(m, 16), ceildiv(n, 16)), (16, 16)](next, where, u)
    print(sum2(next), sum(where))
    launch sides[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](next, where, u)
    print(sum2(next), sum(where), where[n - 1, m - 1])
    launch sides[(ceildiv(m, 64), n), (64, 1)](next, where, u)
    print(sum2(next), sum(where), where[n // 2, m - 1])
    launch leaves[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](next, u)
    print(sum2(next))
    for t in 0:3 {
        launch colour[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](next, 0)
        launch colour[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](next, 1)
    }
    print(sum2(next))
    var flat_next = flat_u
    launch flat[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](flat_next, flat_u, n, m)
    print(sum(f64(x) for x in flat_next))
}
fn cube(n: int, m: int, k: int) {
    let u = [f64(((z * m + y) * k + x) * 7919 % 1009) / 1009 for z in 0:n, y in 0:m, x in 0:k]
    var a = u
    launch space[(ceildiv(k, 32), ceildiv(m, 8), n), (32, 8, 1)](a, u)
    var b = u
    launch space[(ceildiv(k, 32), ceildiv(m, 4), ceildiv(n, 8)), (32, 4, 8)](b, u)
    var c = u
    launch space[(ceildiv(k, 64), ceildiv(m, 4), ceildiv(n, 2)), (64, 4, 2)](c, u)
    var d = u
    launch planes[(ceildiv(k, 32), ceildiv(m, 8), n), (32, 8)](d, u)
    print(n, m, k, total(a), total(b), total(c), total(d))
}
for n in [1, 2, 3, 5, 9, 33, 257] {
    for m in [1, 2, 33, 300] { plane(n, m) }
}
for n in [1, 2, 7, 8, 9, 19] {
    for m in [1, 3, 11] {
        for k in [3, 40] { cube(n, m, k) }
    }
}
# Sizes that are known
const rows = 37
const columns = 140
let known = [f64((i * columns + j) * 7919 % 1009) / 1009 for i in 0:rows, j in 0:columns]
var smooth = known
launch inner[(ceildiv(columns, 32), ceildiv(rows, 8)), (32, 8)](smooth, known)
print(sum2(smooth))
