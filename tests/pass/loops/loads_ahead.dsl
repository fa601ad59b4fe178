# On a GPU the tiles of the next turn are on their way in this one; where no loop runs in a turn, those of the next four turns.
# What the launch writes stays where it is, and so does a loop that the kernel already begins with what comes next.
# RUN: dslc --emit=loops --target=sim %s | FileCheck %s
kernel tiles(y: out f64[n], x: f64[k, n]) {
    shared t: f64[32]
    let i = block.x * 32 + thread.x
    var s = 0.0
    for r in 0:k {
        t[thread.x] = x[r, i]
        barrier
        for j in 0:32 { s += t[j] }
        barrier
    }
    y[i] = s
}
kernel rows(y: out f64[n], x: f64[k, n]) {
    shared t: f64[32]
    let i = block.x * 32 + thread.x
    var s = 0.0
    for r in 0:k {
        t[thread.x] = if thread.x > r { x[r, i] } else { 0.0 }
        barrier
        s += t[31 - thread.x]
        barrier
    }
    y[i] = s
}
kernel own(x: inout f64[n], k: int) {
    shared t: f64[32]
    let i = block.x * 32 + thread.x
    for r in 0:k {
        t[thread.x] = x[i]
        barrier
        x[i] = t[31 - thread.x]
        barrier
    }
}
kernel by_hand(y: out f64[n], x: f64[k, n]) {
    shared t: f64[32]
    let i = block.x * 32 + thread.x
    var s = 0.0
    var next = if k > 0 { x[0, i] } else { 0.0 }
    for r in 0:k {
        t[thread.x] = next
        barrier
        next = if r + 1 < k { x[r + 1, i] } else { 0.0 }
        s += t[31 - thread.x]
        barrier
    }
    y[i] = s
}
export fn all(x: f64[k, 64]) -> f64[64] {
    var y = zeros(f64, 64)
    # CHECK: kind = thread
    # CHECK: [[FIRST:%[^ ]*]] = if
    # CHECK-NEXT: load(%x
    # CHECK: for({{.*}}, [[FIRST]])
    # CHECK-NEXT: (%r{{.*}}: i64, {{.*}}: f64, [[NOW:%[^ ]*]]: f64)
    # CHECK: if
    # CHECK-NEXT: load(%x
    # CHECK-NOT: load(%x
    # CHECK: store([[NOW]], %t
    # CHECK: barrier
    launch tiles[2, 32](y, x)
    # CHECK: kind = thread
    # CHECK-COUNT-4: load(%x
    # CHECK: for
    # CHECK-COUNT-1: load(%x
    # CHECK-NOT: load(%x
    # CHECK: barrier
    launch rows[2, 32](y, x)
    # CHECK: kind = thread
    # CHECK: for
    # CHECK: load(%x
    # CHECK: store
    launch own[2, 32](y, k)
    # CHECK: kind = thread
    # CHECK: load(%x
    # CHECK: for
    # CHECK: barrier
    # CHECK: load(%x
    # CHECK: barrier
    # CHECK-NOT: load(%x
    launch by_hand[2, 32](y, x)
    return y
}
