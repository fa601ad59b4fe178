# Compare-and-swap, and reads of what others update: a maximum, claims, union-find, a hash table
var top = [0]
parallel for i in 0:1000 {
    let v = i * 7919 % 1009
    while true {
        let now = atomic top[0]
        if now >= v { break }
        let was = atomic top[0] = v if now
        if was == now { break }
    }
}
print(top)

# Trees whose roots are the smallest of their sets, whoever comes first
kernel unite(parent: inout int[n], a: int[m], b: int[m]) {
    let t = block.x * blockdim.x + thread.x
    if t < m {
        var x = a[t]
        var y = b[t]
        while x != y {
            let px = atomic parent[x]
            let py = atomic parent[y]
            if px != x { x = px } else if py != y { y = py } else if x < y {
                let was = atomic parent[y] = x if y
                if was == y { break }
            } else {
                let was = atomic parent[x] = y if x
                if was == x { break }
            }
        }
    }
}
let n = 1000
let a = [i for i in 0:900]
let b = [(i * 37 + 100) % n for i in 0:900]
var parent = [i for i in 0:n]
launch unite[8, 128](parent, a, b)
var roots = zeros(int, n)
for i in 0:n {
    var r = i
    while parent[r] != r { r = parent[r] }
    roots[i] = r
}
print(sum(if roots[i] == i { 1 } else { 0 } for i in 0:n), sum(roots))

# A set by open addressing; -1 is free.  Counts beside the keys are updated by another kind.
kernel insert(keys: inout i32[size], counts: inout int[size], x: i32[m], lost: inout int[1]) {
    let t = block.x * blockdim.x + thread.x
    if t < m {
        let k = x[t]
        var at = int(k) * 40503 % size
        var left = size
        while left > 0 {
            let was = atomic keys[at] = k if -1
            if was == -1 or was == k { break }
            at = (at + 1) % size
            left -= 1
        }
        if left > 0 { atomic counts[at] += 1 } else { atomic lost[0] += 1 }
    }
}
let x = [i32(i * i % 211) for i in 0:2000]
var keys = full(i32(-1), 256)
var counts = zeros(int, 256)
var lost = [0]
launch insert[16, 128](keys, counts, x, lost)
print(sum(if keys[i] >= 0 { 1 } else { 0 } for i in 0:256), sum(counts), lost)
print(sum(int(keys[i]) * counts[i] for i in 0:256), sum(int(x[i]) for i in 0:2000))

# each type, more axes, shared memory, an element that one thread alone touches
kernel claims(first: inout u8[2, n], flag: inout bool[n], high: inout u64[1], low: inout i8[n], own: inout int[n]) {
    shared winner: int[1]
    let t = thread.x
    if t == 0 { winner[0] = -1 }
    barrier
    let was = atomic winner[0] = t if -1
    let won = was == -1
    barrier
    if won { atomic first[1, t % 3] = 9 if 0 }
    atomic first[0, t % 3] = 7 if 0
    atomic flag[t % 2] = true if false
    atomic flag[2] = t > 100 if true
    let h = atomic high[0] = u64(18446744073709551615) if u64(9223372036854775808)
    if h == 0 { atomic high[0] = 1 if 0 }
    atomic low[t % 4] = -128 if 127
    let mine = atomic own[t] = t if t % 2
    own[t] += mine
}
var first = zeros(u8, 2, 40)
var flag = [i == 2 for i in 0:40]
var high = [u64(9223372036854775808)]
var low = full(i8(127), 40)
var own = [i % 2 for i in 0:40]
launch claims[1, 40](first, flag, high, low, own)
print(first[0, 0:4], sum(first[1]), flag[0:4], high, low[0:5], own[0:6])

# what the swap did not write stays; a swap beside other updates of the same element
var steps = zeros(int, 4)
parallel for i in 0:64 {
    let k = i % 4
    let old = atomic steps[k] += 1
    if old == 15 { atomic steps[k] = 100 if 16 }
}
print(steps)
var plain = [3, 4, 5]
parallel for i in 0:3 {
    atomic plain[i] = 10 * i if 4
    let now = atomic plain[i]
    if now == 5 { atomic plain[i] = now + 1 if now }
}
print(plain)
