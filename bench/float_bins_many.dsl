# Sums of ten million weights in a million bins; the peer is the serial loop on one thread, and OpenMP atomics on more
const n = 10000000
const bins = 1000000
const reps = 5

kernel add(h: inout f64[m], x: f64[n], w: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic h[min(int(x[i] * m), m - 1)] += w[i] }
}

fn mixed(i: int) -> int {
    let h = i * 2654435761 % 4294967296
    return (h xor (h >> 15)) * 2246822519 % 4294967296
}

let x = [mixed(i) / 4294967296.0 for i in 0:n]
let w = [mixed(i + n) / 4294967296.0 for i in 0:n]
var h = zeros(f64, bins)
launch add[ceildiv(n, 256), 256](h, x, w)
let start = time()
for r in 0:reps { launch add[ceildiv(n, 256), 256](h, x, w) }
let seconds = (time() - start) / reps
print("check", sum(h[i] * (i % 7) for i in 0:bins))
print("time", seconds)
