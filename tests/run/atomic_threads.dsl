# Atomic updates that give what was there before, by many threads: the results that do not depend on their order
kernel compact(slots: inout int[n], count: inout int[1], x: int[m]) {
    let i = block.x * blockdim.x + thread.x
    if i < m and x[i] % 3 == 0 {
        let k = atomic count[0] += 1
        atomic slots[k] = x[i]
    }
}
fn compacted(x: int[m]) -> (int[m], int) {
    var slots = zeros(int, m)
    var count = [0]
    launch compact[ceildiv(m, 128), 128](slots, count, x)
    return (slots, count[0])
}
fn tickets(n: int) -> (int, int, int) {
    var drawn = zeros(int, n)
    var next = [0]
    parallel for i in 0:n {
        let mine = atomic next[0] += 1
        atomic drawn[mine] += 1
    }
    return (next[0], min(drawn), max(drawn))
}
fn unions(n: int, m: int) -> (u64[m], bool[m], i32[m]) {
    var seen = zeros(u64, m)
    var hit = zeros(bool, m)
    var first = zeros(i32, m)
    parallel for i in 0:n {
        let old = atomic seen[i * 31 % m] |= u64(1) << u64(i % 64)
        if old == 0 { atomic first[i * 31 % m] += 1 }
        atomic hit[i % m] = true
    }
    return (seen, hit, first)
}
fn extremes(n: int) -> (f64, f32, int) {
    var low = [inf]
    var high = [f32(0)]
    var changes = [0]
    parallel for i in 0:n {
        let was = atomic low[0] min= f64((i * 7919) % n)
        if was == inf { atomic changes[0] += 1 }
        atomic high[0] max= f32(i % 1000)
    }
    return (low[0], high[0], changes[0])
}
# sums of floats with the old value run in order
fn running(n: int) -> f64[n] {
    var s = [0.0]
    var so_far = zeros(f64, n)
    parallel for i in 0:n {
        let before = atomic s[0] += 1.0 / (i + 1)
        so_far[i] = before
    }
    return so_far
}
fn locks(n: int) -> (int, f64) {
    var token = [1.0, 0.0]
    var got = [0]
    parallel for i in 0:n {
        let t = atomic token[0] = 0.0
        if t == 1.0 { atomic got[0] += 1 }
    }
    return (got[0], token[0])
}

let x = [i * 7 % 1000 for i in 0:100000]
let (slots, count) = compacted(x)
print(count, sum(slots), sum(slots^2), min(slots[0:count]), max(slots[count:]))
print(tickets(100000))
let (seen, hit, first) = unions(100000, 50)
print(seen[0] == seen[7], all(hit), first)
print(extremes(100003), locks(100000))
let r = running(10000)
print(r[0], r[1], r[9999])
