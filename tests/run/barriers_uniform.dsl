# Barriers under conditions that are the same for all threads of a block, though each thread computes them.

# the number of the warp is that of the block when blocks have 32 threads
kernel warps(y: inout int[n]) {
    shared s: int[32]
    let t = thread.x
    let i = block.x * 32 + t
    s[t] = y[i]
    if i // 32 % 2 == 1 {
        barrier
        y[i] = s[31 - t]
    }
}

kernel whole(y: inout int[n]) {
    shared s: int[64]
    let t = thread.x
    if t >= blockdim.x { return }
    s[t] = y[t]
    if t + 1 <= blockdim.x {
        barrier
        y[t] += s[(t + 1) % 64]
    }
}

# a loop whose bounds each thread computes
kernel turns(y: inout int[n], k: int) {
    shared s: int[16]
    let t = thread.x
    var last = k
    if t > 3 { last = k }
    for i in t // 16:last {
        s[t] = y[t] + i
        barrier
        y[t] = s[15 - t]
        barrier
    }
}

# threads agree on an element that one of them wrote
kernel until(y: inout int[n]) {
    shared s: int[16]
    shared go: bool[1]
    let t = thread.x
    s[t] = y[t]
    if t == 0 { go[0] = true }
    barrier
    while go[0] {
        let left = if t == 0 { 0 } else { s[t - 1] }
        barrier
        s[t] += left
        if t == 15 { go[0] = s[t] < 200 }
        barrier
    }
    y[t] = s[t]
}

# the same in all threads of a row
kernel rows(y: inout int[n, m]) {
    shared s: int[4, 8]
    let i = block.y * blockdim.y + thread.y
    let row = i - thread.y
    s[thread.y, thread.x] = y[i, thread.x]
    if row % 8 == 0 or block.x > 0 {
        barrier
        y[i, thread.x] = s[3 - thread.y, 7 - thread.x]
    }
}

var a = [i for i in 0:128]
launch warps[4, 32](a)
print(a)
var b = [i for i in 0:64]
launch whole[1, 64](b)
print(b)
var c = [i for i in 0:16]
launch turns[1, 16](c, 3)
print(c)
var d = [i % 3 for i in 0:16]
launch until[1, 16](d)
print(d)
var e = [8 * i + j for i in 0:16, j in 0:8]
launch rows[(1, 4), (8, 4)](e)
print(e)

# memory of each thread's own that holds the same in all of them
kernel counted(y: inout int[n]) {
    shared s: int[16]
    var state: int[2]
    let t = thread.x
    state[0] = 3
    while state[0] > 0 {
        state[0] -= 1
        s[t] = y[t]
        barrier
        y[t] += s[(t + 1) % 16]
        barrier
    }
}
var f = [i for i in 0:16]
launch counted[1, 16](f)
print(f)
