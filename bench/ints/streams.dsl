# Many streams of random numbers, xorshift of 64 bits: how often one is small
const n = 20000
const length = 500
const reps = 3

fn stream(seed: u64) -> int {
    var x = seed
    var hits = 0
    for k in 0:length {
        x = x xor (x << 13)
        x = x xor (x >> 7)
        x = x xor (x << 17)
        hits += if x >> 60 == 0 { 1 } else { 0 }
    }
    return hits
}

fn streams(shift: int) -> int = sum(stream(u64(i + 1 + shift)) for i in 0:n)

var s = streams(0)
let start = time()
for r in 0:reps { s = streams(s % 2) }
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
