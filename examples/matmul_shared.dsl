# %% [markdown]
# # Matrix product with tiles in shared memory
#
# Each thread of a 16 by 16 block makes one element of $C = A B$, $c_{ij} = \sum_p a_{ip} b_{pj}$. A tile of
# $A$ and one of $B$ are loaded by all threads of a block together, then read sixteen times from shared
# memory: memory is read once instead of sixteen times. The first barrier waits until the tiles are full, the
# second until nobody reads them any more.
# %% The kernel
const tile = 16
const n = 192

kernel product(c: out f64[n, m], a: f64[n, k], b: f64[k, m]) {
    shared ta: f64[tile, tile]
    shared tb: f64[tile, tile]
    let row = block.y * tile + thread.y
    let col = block.x * tile + thread.x
    var acc = 0.0
    for t in 0:ceildiv(k, tile) {
        let ka = t * tile + thread.x
        let kb = t * tile + thread.y
        ta[thread.y, thread.x] = if row < n and ka < k { a[row, ka] } else { 0.0 }
        tb[thread.y, thread.x] = if kb < k and col < m { b[kb, col] } else { 0.0 }
        barrier
        for p in 0:tile {
            acc += ta[thread.y, p] * tb[p, thread.x]
        }
        barrier
    }
    if row < n and col < m {
        c[row, col] = acc
    }
}

# %% [markdown]
# ## Against the library
# Sizes that 16 does not divide, so that the borders count. The operator `@` goes to the BLAS library; its
# sums are in another order.
# %% Check
let a = rand(1, n, n - 7)
let b = rand(2, n - 7, n + 5)
var c = zeros(f64, n, n + 5)
launch product[(ceildiv(n + 5, tile), ceildiv(n, tile)), (tile, tile)](c, a, b)
print("difference from BLAS is rounding:", max(abs(c - a @ b)) < 1e-10)
assert max(abs(c - a @ b)) < 1e-10
