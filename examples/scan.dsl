# %% [markdown]
# # Prefix sums in blocks
#
# $y_i = x_0 + \dots + x_i$ looks serial. Hillis and Steele's way (1986) takes $\log_2 n$ rounds: in round $k$
# each element adds the one $2^k$ places to its left. Blocks do this in shared memory, each with its part; the
# totals of the blocks are scanned in turn, and added.
#
# The two barriers of a round part its reads from its writes, and these from the reads of the next.
# %% The kernels
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

# %% Prefix sums of any length
fn prefix(x: f64[n]) -> f64[n] {
    let blocks = ceildiv(n, width)
    var y = zeros(f64, n)
    var total = zeros(f64, blocks)
    launch scan_block[blocks, width](y, total, x)
    let offset = cumsum(total)
    launch add_offset[blocks, width](y, offset)
    return y
}

# %% [markdown]
# ## Check
# Sums of small ints are exact in floats, in any order: the result is that of the library's `cumsum`, bit by
# bit.
# %% Check
let x = [f64(i % 7) for i in 0:10000]
let y = prefix(x)
print("last:", y[9999], " sum:", sum(x))
assert all(y == cumsum(x)), "sums of small ints are exact in any order"
