# Arrays of bools: counted, chosen by, combined, updated, carried, and made of numbers
let n = 1000
let a = [i * 7 % 13 < 5 for i in 0:n]
let b = [i % 3 == 0 for i in 0:n]
print(sum(int(a)), sum(int(not a[i]) for i in 2:n), sum(int(a[i] and not b[i]) for i in 0:n), sum(f64(b)))
print(sum(int(a[i] xor b[i]) for i in 0:n), sum(int(a[i] == b[i]) for i in 0:n), any(a), all(a), all(a or not a))
print(sum(if a[i] { i } else { -i } for i in 0:n), max(if b[i] { 1.5 } else { f64(i % 11) } for i in 0:n))

# In two axes, and along one
let table = [a[(i * 31 + j) % n] for i in 0:20, j in 0:30]
print([sum(int(table[i, j]) for i in 0:20) for j in 0:8], [any(table[i, j] for j in 0:3) for i in 0:6])
print(sum(int(not table)), table[3, 0:5])

# Updated in place, one after another, and carried
var seen = zeros(bool, 20)
for i in 0:n { if a[i] { seen[i * i % 20] = not seen[i * i % 20] } }
var c = false
for i in 0:n { c = c xor (a[i] and b[i]) }
print(seen, c)

# By threads at once
kernel mark(flags: inout bool[m], owner: inout bool[m], x: bool[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        if x[i] { atomic flags[i % m] xor= true }
        if x[i] { atomic owner[i % m] = true if false }
    }
}
var flags = zeros(bool, 16)
var owner = zeros(bool, 16)
launch mark[ceildiv(n, 64), 64](flags, owner, a)
print(flags)
print(owner)

# A thread's own
kernel count(out: out int[n], x: bool[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var own = zeros(bool, 8)
        for k in 0:8 { own[k] = x[(i + k) % n] and not own[(k + 7) % 8] }
        var s = 0
        for k in 0:8 { if own[k] { s += 1 << k } }
        out[i] = s
    }
}
var codes = zeros(int, n)
launch count[ceildiv(n, 128), 128](codes, a)
print(sum(codes), codes[0:6])

# From bytes, and to them
let bytes = [u8(i % 4) for i in 0:12]
print([bool(x) for x in bytes], [u8(a[i]) + u8(b[i]) for i in 0:9], [f32(a[i]) * 0.5 for i in 0:4])
