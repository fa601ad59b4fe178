# On a GPU a thread of a launch that reads neighbours along y or z does the work of several: all that come through their
# guards stand side by side, and read once what they have in common; else each stands for itself. Blocks on a plane are 256
# threads wide then.
# RUN: dslc --emit=loops --target=cuda %s | FileCheck %s
# RUN: dslc --emit=loops --target=sim %s | FileCheck %s
# RUN: dslc --emit=ptx %s | FileCheck --check-prefix=PTX %s
# RUN: dslc --emit=loops --target=cuda --choose=row-width=32 %s | FileCheck --check-prefix=NARROW %s
# RUN: dslc --emit=loops --target=cuda --choose=rows=no %s | FileCheck --check-prefix=NO %s
# RUN: dslc --emit=loops --target=cuda --coarsen-thread=five=y:2 %s | FileCheck --check-prefix=ASKED %s
# RUN: dslc check --explain-kernel %s | FileCheck --check-prefix=SAYS %s
# CHECK: name = "five"
# CHECK: kind = block, msg = "a thread does the work of 4 along y, which take 14 reads instead of 20
# CHECK: parallel(%{{[0-9]*}}) {kind = thread}
# CHECK: {few} {
# CHECK-COUNT-14: load(%u{{[.0-9]*}},
# CHECK-NOT: load
# CHECK: } {
# CHECK-COUNT-20: load(%u{{[.0-9]*}},
# CHECK-NOT: load
# CHECK: name = "seven"
# CHECK: parallel(%{{.*}}, %{{.*}}, %{{.*}}) {kind = block, msg = "a thread does the work of 8 along z, which take 42 reads instead of 56
# CHECK: parallel(%{{.*}}, %{{.*}}) {kind = thread}
# CHECK: {few} {
# CHECK-COUNT-42: load(%u{{[.0-9]*}},
# CHECK-NOT: load
# CHECK: } {
# CHECK: name = "flat"
# CHECK: {few} {
# CHECK-COUNT-6: load(%u{{[.0-9]*}},
# CHECK-NOT: load
# CHECK: } {
# What is written, what waits, what threads have in common along x alone
# CHECK: name = "own"
# CHECK: parallel(%{{.*}}, %{{.*}}) {kind = block} {
# CHECK: name = "waits"
# CHECK: parallel(%{{.*}}, %{{.*}}) {kind = block} {
# CHECK: name = "along"
# CHECK: parallel(%{{.*}}, %{{.*}}) {kind = block} {
# A guard that leaves at once
# CHECK: name = "leaves"
# CHECK: parallel(%{{.*}}, %{{.*}}) {kind = block, msg = "a thread does the work of 4 along y, which take 5 reads instead of 8
# CHECK: {few} {
# CHECK-COUNT-5: load(%u{{[.0-9]*}},
# CHECK-NOT: load
# CHECK: } {
# NARROW: name = "five"
# NARROW: parallel(%{{.*}}, %{{.*}}) {kind = block, msg
# NARROW: parallel(%{{.*}}, %{{.*}}) {kind = thread}
# NO-NOT: msg = "a thread
# ASKED: name = "five"
# ASKED: {few} {
# ASKED-COUNT-8: load(%u{{[.0-9]*}},
# ASKED-NOT: load
# ASKED: } {
# PTX: .entry k{{[0-9]*}}_five
# PTX: ld.global.nc.f64
# SAYS: _five, blocks of 256 threads
# SAYS: a thread does the work of 4 along y, which take 14 reads instead of 20 (--choose=rows=no)
kernel five(next: out f64[n, m], u: f64[n, m]) {
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if y >= 1 and y < n - 1 and x >= 1 and x < m - 1 {
        next[y, x] = u[y, x] + 0.2 * (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1] - 4 * u[y, x])
    }
}
kernel seven(next: out f32[n, m, k], u: f32[n, m, k]) {
    let z = block.z
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if z >= 1 and z < n - 1 and y >= 1 and y < m - 1 and x >= 1 and x < k - 1 {
        next[z, y, x] = 0.4 * u[z, y, x] + 0.1 * (u[z - 1, y, x] + u[z + 1, y, x] + u[z, y - 1, x] + u[z, y + 1, x]
                                                  + u[z, y, x - 1] + u[z, y, x + 1])
    }
}
kernel flat(next: out f64[k], u: f64[k], n: int, m: int) {
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if y >= 1 and y < 99 and x < 100 and k == 10000 { next[y * 100 + x] = u[y * 100 + x - 100] + u[y * 100 + x] + u[y * 100 + x + 100] }
}
kernel own(u: inout f64[n, m]) {
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if y % 2 == 1 and y < n - 1 and x < m { u[y, x] = u[y - 1, x] + u[y + 1, x] }
}
kernel waits(next: out f64[n, m], u: f64[n, m]) {
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    shared s: f64[8, 32]
    s[thread.y, thread.x] = u[min(y, n - 1), min(x, m - 1)] + u[min(y + 1, n - 1), min(x, m - 1)]
    barrier
    if y < n - 1 and x < m { next[y, x] = s[thread.y, 31 - thread.x] }
}
kernel along(next: out f64[n, m], u: f64[n, m]) {
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if y < n and x < m - 1 { next[y, x] = u[y, x] + u[y, x + 1] }
}
kernel leaves(next: out f64[n, m], u: f64[n, m]) {
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if y >= n - 1 or x >= m { return }
    next[y, x] = u[y + 1, x] - u[y, x]
}
export fn all(u: f64[n, m], v: f32[p, q, r], w: f64[10000]) -> (f64[n, m], f32[p, q, r], f64[10000], f64[n, m], f64[n, m], f64[n, m], f64[n, m]) {
    var a = u
    launch five[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](a, u)
    var b = v
    launch seven[(ceildiv(r, 32), ceildiv(q, 8), p), (32, 8)](b, v)
    var c = w
    launch flat[(4, 13), (32, 8)](c, w, 100, 100)
    var d = u
    launch own[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](d)
    var e = u
    launch waits[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](e, u)
    var f = u
    launch along[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](f, u)
    var g = u
    launch leaves[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](g, u)
    return (a, b, c, d, e, f, g)
}
