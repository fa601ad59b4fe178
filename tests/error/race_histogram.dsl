# A histogram without atomic: only the data tell
kernel right(bins: inout int[m], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic bins[x[i]] += 1 }
}
kernel wrong(bins: inout int[m], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { bins[x[i]] += 1 }
}
let x = [k % 7 for k in 0:100]
var bins = zeros(int, 7)
launch right[4, 32](bins, x)
launch wrong[4, 32](bins, x)
print(bins)
