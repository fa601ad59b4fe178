# %% [markdown]
# # Prefix sums in blocks
# Each block scans its part in shared memory (Hillis and Steele 1986); the totals are scanned and added.
# %%
const width = 256

kernel scan_block(y: out f64[n], total: out f64[b], x: f64[n]) {
    shared s: f64[width]
    let t = thread.x
    let i = block.x * width + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var reach = 1
    while reach < width {
        let left = if t >= reach { s[t - reach] } else { 0.0 }
        barrier
        s[t] += left
        barrier
        reach *= 2
    }
    if i < n { y[i] = s[t] }
    if t == width - 1 { total[block.x] = s[t] }
}

kernel add_offset(y: inout f64[n], offset: f64[b]) {
    let i = block.x * width + thread.x
    if block.x > 0 and i < n {
        y[i] += offset[block.x - 1]
    }
}

fn prefix(x: f64[n]) -> f64[n] {
    let blocks = ceildiv(n, width)
    var y = zeros(f64, n)
    var total = zeros(f64, blocks)
    launch scan_block[blocks, width](y, total, x)
    let offset = cumsum(total)
    launch add_offset[blocks, width](y, offset)
    return y
}

let x = [f64(i % 7) for i in 0:10000]
let y = prefix(x)
print("last:", y[9999], " sum:", sum(x))
assert all(y == cumsum(x)), "sums of small ints are exact in any order"
