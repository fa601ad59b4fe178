# A launch that gives rows to x: threads along y are neighbours in a warp, so that they read beside each other, and no thread
# does the work of several of them.
# RUN: dslc check --explain-kernel %s | FileCheck %s
# RUN: dslc --emit=ptx %s | FileCheck --check-prefix=PTX %s
# CHECK: k{{[0-9]*}}_five, blocks of 256 threads
# CHECK-NOT: a thread does the work
# CHECK: k{{[0-9]*}}_rows, blocks of
# CHECK: a thread does the work of 4 along y
# PTX: .entry k{{[0-9]+}}_five
# PTX: %tid.x
# PTX: shr.u
kernel five(next: out f64[n, m], u: f64[n, m]) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i >= 1 and i < n - 1 and j >= 1 and j < m - 1 {
        next[i, j] = u[i, j - 1] + u[i, j + 1] + u[i - 1, j] + u[i + 1, j] - 4 * u[i, j]
    }
}
kernel rows(next: out f64[n, m], u: f64[n, m]) {
    let j = block.x * blockdim.x + thread.x
    let i = block.y * blockdim.y + thread.y
    if i >= 1 and i < n - 1 and j >= 1 and j < m - 1 {
        next[i, j] = u[i, j - 1] + u[i, j + 1] + u[i - 1, j] + u[i + 1, j] - 4 * u[i, j]
    }
}
let u = [f64(i * j % 7) for i in 0:300, j in 0:500]
var next = u
launch five[(38, 16), (8, 32)](next, u)
launch rows[(16, 38), (32, 8)](next, next * 2)
print(sum(next))
