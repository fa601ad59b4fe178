# Bitonic sort of 2^20 numbers, a thread for each pair, places by % and //; the peer is the same loops in C with int
const n = 1 << 20
const reps = 3

kernel step(y: inout f32[n], j: int, k: int) {
    let i = block.x * blockdim.x + thread.x
    let low = i % j
    let first = 2 * (i - low) + low
    let other = first + j
    if other < n {
        let a = y[first]
        let b = y[other]
        if (a > b) == ((first // k % 2) == 0) {
            y[first] = b
            y[other] = a
        }
    }
}
fn sorted(x: f32[n]) -> f32[n] {
    var y = x
    var k = 2
    while k <= n {
        var j = k // 2
        while j > 0 {
            launch step[ceildiv(n // 2, 256), 256](y, j, k)
            j //= 2
        }
        k *= 2
    }
    return y
}

let x = [f32(i * 7919 % 1000003) for i in 0:n]
var y = sorted(x)
let start = time()
for r in 0:reps { y = sorted(x) }
let seconds = (time() - start) / reps
print("check", sum(f64(y[i]) * (i % 7) for i in 0:n))
print("time", seconds)
