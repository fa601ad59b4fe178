# Counts of ten million numbers in 256 bins, with atomics; the peer gives each thread bins of its own
const n = 10000000
const bins = 256
const reps = 5

kernel count(h: inout int[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        atomic h[min(int(x[i] * m), m - 1)] += 1
    }
}

let x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
var h = zeros(int, bins)
launch count[ceildiv(n, 256), 256](h, x)
let start = time()
for r in 0:reps { launch count[ceildiv(n, 256), 256](h, x) }
let seconds = (time() - start) / reps
print("check", sum(h[i] * (i % 7) for i in 0:bins))
print("time", seconds)
