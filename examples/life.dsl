# %% [markdown]
# # The Game of Life
# On a torus; a glider comes back to where it was after 4 n steps.
# %%
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
        next[i, j] = if around == 3 or (around == 2 and cells[i, j] == 1) { 1 } else { 0 }
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
