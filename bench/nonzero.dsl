# The places where half of ten million bools hold; the peer counts by chunks and writes without branches, into memory that it keeps
const n = 10000000
const part = 0.5
const reps = 5

fn mixed(i: int) -> int {
    let h = i * 2654435761 % 4294967296
    return (h xor (h >> 15)) * 2246822519 % 4294967296
}

let mask = [mixed(i) < 4294967296 * part for i in 0:n]
var s = len(nonzero(mask))
let start = time()
for r in 0:reps {
    let p = nonzero(mask)
    s += p[len(p) // 2]
}
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
