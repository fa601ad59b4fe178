kernel count(bins: inout int[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    atomic bins[min(int(x[i] * m), m - 1)] += 1
}
kernel extremes(lo: inout int[1], hi: inout int[1], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        atomic lo[0] min= x[i]
        atomic hi[0] max= x[i]
    }
}
kernel tally(bins: inout int[m], y: out int[n]) {
    let t = thread.x
    shared s: int[1024]
    s[t] = t % 7
    barrier
    y[t] = s[1023 - t]
    for k in 0:200 { atomic bins[s[(t + k) % 1024]] += k }
}
let x = [f64(i) / 100 for i in 0:100]
var bins = zeros(int, 10)
launch count[4, 32](bins, x)
print(bins)
var lo = [1000]
var hi = [-1000]
launch extremes[2, 8](lo, hi, [5, -3, 12, 7, 0, 9])
print(lo, hi)
# One block: the loop over its threads is cut into threads, inside the one over blocks
var tallies = zeros(int, 7)
var y = zeros(int, 1024)
launch tally[1, 1024](tallies, y)
print(tallies, sum(y))
