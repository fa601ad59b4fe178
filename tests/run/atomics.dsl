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
let x = [f64(i) / 100 for i in 0:100]
var bins = zeros(int, 10)
launch count[4, 32](bins, x)
print(bins)
var lo = [1000]
var hi = [-1000]
launch extremes[2, 8](lo, hi, [5, -3, 12, 7, 0, 9])
print(lo, hi)
