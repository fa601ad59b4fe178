# Atomic updates of all kinds, and those that give what the element was before
kernel fill(slots: inout int[n], count: inout int[1], x: int[m]) {
    let i = block.x * blockdim.x + thread.x
    if i < m and x[i] % 3 == 0 {
        let k = atomic count[0] += 1
        atomic slots[k] = x[i]
    }
}
kernel block_lists(out: inout int[n], total: inout int[1], x: int[m]) {
    shared found: int[1]
    shared from: int[1]
    shared held: int[32]
    let i = block.x * blockdim.x + thread.x
    if thread.x == 0 { found[0] = 0 }
    barrier
    if i < m and x[i] % 2 == 1 {
        let k = atomic found[0] += 1
        atomic held[k] = x[i]
    }
    barrier
    if thread.x == 0 {
        let at = atomic total[0] += found[0]
        from[0] = at
    }
    barrier
    if thread.x < found[0] { atomic out[from[0] + thread.x] = held[thread.x] }
}
let x = [i * 7 % 100 for i in 0:100]
var slots = zeros(int, 100)
var count = [0]
launch fill[4, 32](slots, count, x)
print(count, sort(slots[0:count[0]]))
var odd = zeros(int, 100)
var total = [0]
launch block_lists[4, 32](odd, total, x)
print(total, sum(odd), sum(odd^2), sort(odd[0:total[0]])[:10])

# each index comes out once
var tickets = zeros(int, 1000)
var next = [0]
parallel for i in 0:1000 {
    let mine = atomic next[0] += 1
    atomic tickets[mine] += 1
}
print(next, min(tickets), max(tickets))

# all kinds, whose result does not depend on the order
var bits = zeros(u32, 4)
var masks = full(u8(255), 3)
var turned = zeros(int, 5)
var flags = zeros(bool, 6)
var togs = zeros(bool, 3)
var low = full(100.0, 2)
var product = ones(int, 2)
var less = full(1000, 2)
parallel for i in 0:500 {
    atomic bits[i % 4] |= u32(1) << u32(i % 13)
    atomic masks[i % 3] &= u8(255) - u8(i % 2)
    atomic turned[i % 5] xor= i
    atomic flags[i % 4] = true
    atomic togs[i % 3] xor= i % 7 == 0
    atomic low[i % 2] min= 50.5 - i
    atomic product[i % 2] *= 2 * i + 1
    atomic less[i % 2] -= i
}
print(bits, masks, turned, flags, togs, low, product, less)

# the old values of one kind are a permutation of what the order of their updates gives
var best = zeros(f64, 3)
var firsts = zeros(int, 3)
var ones_ = [1.0, 1.0]
parallel for i in 0:300 {
    let before = atomic best[i % 3] max= 1.5
    if before < 1.0 { atomic firsts[i % 3] += 1 }
    let taken = atomic ones_[i % 2] = 0.0
    if taken > 0.5 { atomic firsts[0] += 100 }
}
print(best, firsts, ones_)
var owner = full(-1, 4)
var claims = zeros(i32, 4)
parallel for i in 0:64 {
    let had = atomic owner[i % 4] max= 7
    if had == -1 { atomic claims[i % 4] += 1 }
}
print(owner, claims)
var sums = zeros(f32, 2)
var moved = zeros(f64, 10)
parallel for i in 0:10 {
    let old = atomic sums[0] += f32(i)
    moved[i] = f64(old)
    let h: f32 = atomic sums[1] -= 0.5
    moved[i] += h
}
print(sums, max(moved) < 50)
kernel swaps(a: inout i8[n], seen: inout u64[1]) {
    let t = thread.x
    let old = atomic a[t % 2] xor= i8(5)
    if old == 0 { atomic seen[0] += 1 }
    var was = atomic a[2] &= i8(3)
    was += 1
    let o = atomic a[3] |= i8(6)
    let m = atomic a[4] *= i8(3)
    let l = atomic a[5] min= i8(t - 3)
    if o == 0 and m <= 0 and l == 0 and was > 0 { atomic seen[0] += 10 }
}
var a = [i8(0), 0, 7, 0, 1, 0]
var seen = [u64(0)]
launch swaps[1, 8](a, seen)
print(a, seen[0] % 10)
