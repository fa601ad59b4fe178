# Pi by throwing darts: streams of xorshift numbers, one for each thread
const streams = 1000
const throws = 10000

fn hits(seed: int) -> int {
    var state = u64(seed) * 2654435761 + 88172645463325252
    var inside = 0
    for t in 0:throws {
        state = state xor state << 13
        state = state xor state >> 7
        state = state xor state << 17
        let x = f64(state >> 40) / 16777216
        state = state xor state << 13
        state = state xor state >> 7
        state = state xor state << 17
        let y = f64(state >> 40) / 16777216
        if x * x + y * y < 1 { inside += 1 }
    }
    return inside
}

let warm = sum(hits(s) for s in 0:streams)
let start = time()
let inside = sum(hits(s) for s in 1:streams + 1)
let seconds = time() - start
print("check", inside, warm)
print("time", seconds)
