# FNV-1a of many keys of eight bytes: products of 32 bits that wait for each other
const n = 4000000
const reps = 3

fn hash(key: int) -> u32 {
    var h = u32(2166136261)
    var rest = u32(key)
    for k in 0:8 {
        h = (h xor (rest & 255)) * 16777619
        rest = (rest >> 8) xor (rest << 24)
    }
    return h
}

fn hashes(shift: int) -> int = sum(int(hash(i + shift) >> 22) for i in 0:n)

var s = hashes(0)
let start = time()
for r in 0:reps { s = hashes(s % 2) }
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
