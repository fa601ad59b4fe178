# %% [markdown]
# # The Game of Life
#
# Conway's rule (1970): a cell is alive in the next generation when three of its eight neighbours are, or two
# and itself. The board is a torus of bytes; each thread computes one cell.
# %% The rule
const n = 32

kernel generation(next: out u8[n, m], cells: u8[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m {
        var around = 0
        for di in -1:2 {
            for dj in -1:2 {
                if di != 0 or dj != 0 {
                    around += int(cells[(i + di) % n, (j + dj) % m])
                }
            }
        }
        let alive = around == 3 or (around == 2 and cells[i, j] == 1)
        next[i, j] = if alive { 1 } else { 0 }
    }
}

fn run(cells: u8[n, m], steps: int) -> u8[n, m] {
    var now = cells
    for t in 0:steps {
        var next = now
        launch generation[(ceildiv(m, 16), ceildiv(n, 16)), (16, 16)](next, now)
        now = next
    }
    return now
}

# %% [markdown]
# ## A glider
# Five cells that move one step along the diagonal in four generations. On a torus of size $n$ the glider is
# back after $4 n$.
# %% Once around the torus
var start = zeros(u8, n, n)
start[1, 2] = 1
start[2, 3] = 1
start[3, 1] = 1
start[3, 2] = 1
start[3, 3] = 1
let end = run(start, 4 * n)
print("alive:", sum(int(end)))
assert all(end == start), "the glider came back"
print(run(start, 3)[0:7, 0:7])

# %% [markdown]
# ## From a random board
# A third of the cells alive at first; after some generations blocks, blinkers and gliders remain. Births and
# deaths almost balance, and ever fewer cells live.
# %% Population
let board = [if uniform(5, i * n + j) < 0.33 { u8(1) } else { u8(0) }
             for i in 0:n, j in 0:n]
var now = board
var alive = zeros(f64, 100)
for t in 0:100 {
    alive[t] = sum(f64(now))
    now = run(now, 1)
}
plot("population.png", alive, xlabel="generation", ylabel="cells alive")

# %% The board after 100 generations
image("board.png", f64(now), colors="gray")
assert all(run(board, 100) == now)
