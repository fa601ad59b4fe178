# %% [markdown]
# # Site percolation
#
# Each site of a square lattice is open with probability $p$. Open neighbours form clusters. For small $p$ all
# clusters are small; above the critical probability $p_c = 0.592746\dots$ (Ziff 1992 and many since, by
# simulation; no formula is known) one of them reaches from side to side.
# %% The lattice
const side = 128
const lattices = 6

fn lattice(seed: int, p: f64) -> bool[side, side] = rand(seed, side, side) < p

# %% [markdown]
# ## Clusters by spreading labels
# Each open site starts with its own number. In every round it takes the least label among itself and its open
# neighbours, and then the label *of the site* that its label names: such shortcuts make long clusters settle
# in a few dozen rounds instead of hundreds. Every round reads one array and writes another, so no two threads
# meet. At the end all sites of a cluster have the number of its first site; closed sites have $-1$.
# %% Labels
kernel spread(next: out int[n, n], label: int[n, n]) {
    let j = block.x * blockdim.x + thread.x
    let i = block.y * blockdim.y + thread.y
    if i >= n or j >= n { return }
    var least = label[i, j]
    if least >= 0 {
        if i > 0 { least = lower(least, label[i - 1, j]) }
        if i < n - 1 { least = lower(least, label[i + 1, j]) }
        if j > 0 { least = lower(least, label[i, j - 1]) }
        if j < n - 1 { least = lower(least, label[i, j + 1]) }
        least = label[least // n, least % n]
    }
    next[i, j] = least
}

## The lesser label; -1 is none
fn lower(a: int, b: int) -> int = if b >= 0 and b < a { b } else { a }

fn clusters(open: bool[n, n]) -> int[n, n] {
    var label = [if open[i, j] { i * n + j } else { -1 } for i in 0:n, j in 0:n]
    var settled = false
    while not settled {
        var next = label
        launch spread[(ceildiv(n, 16), ceildiv(n, 16)), (16, 16)](next, label)
        settled = all(next == label)
        label = next
    }
    return label
}

## Number of sites of the cluster that begins at each site
fn sizes(label: int[n, n]) -> int[n * n] {
    var count = zeros(int, n * n)
    launch tally[(ceildiv(n, 16), ceildiv(n, 16)), (16, 16)](count, label)
    return count
}

kernel tally(count: inout int[n2], label: int[n, n]) {
    let j = block.x * blockdim.x + thread.x
    let i = block.y * blockdim.y + thread.y
    if i < n and j < n and label[i, j] >= 0 {
        atomic count[label[i, j]] += 1
    }
}

# %% [markdown]
# A spanning cluster has a site in the bottom row and one in the top row. Labels are the number of the *first*
# site, row by row, so the label of a cluster that touches the bottom row is less than $n$.
# %% Spanning
fn spans(label: int[n, n]) -> bool =
    any(label[n - 1, j] >= 0 and label[n - 1, j] < n for j in 0:n)

let small = clusters([i == j or i == j + 1 for i in 0:4, j in 0:4])
print(small)
assert spans(small) and sizes(small)[0] == 7

# %% [markdown]
# Just above the threshold: colours tell how large the cluster of a site is, as a power of ten; closed sites
# have none.
# %% A critical lattice
let label = clusters(lattice(1, 0.6))
let size = sizes(label)
let decades = [log10(f64(if label[i, j] >= 0 { size[label[i, j]] } else { 0 }))
               for i in 0:side, j in 0:side]
image("clusters.png", decades, title="log10 of cluster sizes at p = 0.6")
print("open sites:", sum(size), "clusters:", sum(where(size > 0, 1, 0)),
      "largest:", max(size))

# %% [markdown]
# ## How clusters are distributed
# At $p_c$ the number of clusters with $s$ sites falls as a power, $n_s \sim s^{-187/91}$. In bins that double
# in width the number of clusters falls with one power less. A lattice as small as this one bends the line:
# its edges cut clusters.
# %% Sizes
const bins = 10
fn tally_sizes(seed: int) -> int[bins] {
    let size = sizes(clusters(lattice(seed, 0.5927)))
    return [sum(where(size >= 2^b and size < 2^(b + 1), 1, 0)) for b in 0:bins]
}
var count = zeros(int, bins)
for seed in 0:lattices {
    count += tally_sizes(seed)
}
let s = [1.5 * 2^b for b in 0:bins]
let found = [if count[b] > 0 { f64(count[b]) } else { 0 / 0 } for b in 0:bins]
plot("sizes.png", s, [found, count[2] * (s / s[2])^(-96 / 91)], log="xy",
     names="clusters, slope -96/91", style="linespoints, dashed",
     xlabel="sites", ylabel="number in bin")

# %% [markdown]
# ## The threshold
# With the random number of each site kept, more sites open as $p$ grows, so each lattice has one $p$ from
# which on it spans; bisection finds it. A finite lattice misses $p_c$ by something like
# $n^{-1/\nu} = n^{-3/4}$.
# %% Bisection
fn threshold(seed: int) -> f64 {
    var below = 0.0
    var above = 1.0
    for k in 0:10 {
        let p = (below + above) / 2
        if spans(clusters(lattice(seed, p))) { above = p } else { below = p }
    }
    return (below + above) / 2
}
let thresholds = [threshold(seed) for seed in 0:lattices]
print("thresholds:", thresholds)
let mean_threshold = mean(thresholds)
print(f"mean: {mean_threshold:.4f}, known: 0.5927, expected scatter: {side^-0.75:.4f}")
assert abs(mean_threshold - 0.5927) < side^-0.75
assert not spans(clusters(lattice(1, 0.4))) and spans(clusters(lattice(1, 0.8)))
