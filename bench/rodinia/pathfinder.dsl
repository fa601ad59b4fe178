# Rodinia's pathfinder: the cheapest way down a grid, each step to one of three cells below.  A block takes `height` rows
# at a time; its border is computed by its neighbours too.
# small: rows=9 cols=130 height=4 width=32
const rows = 100
const cols = 100000
const height = 20
const width = 256

kernel descend(result: out i32[m], source: i32[m], wall: i32[n, m], iterations: int, first: int) {
    shared prev: i32[width]
    shared best: i32[width]
    let tx = thread.x
    let x0 = (width - 2 * iterations) * block.x - height
    let x = x0 + tx
    # the part of the block that lies on the grid
    let first_x = max(-x0, 0)
    let last_x = min(width - 1, m - 1 - x0)
    let west = max(tx - 1, first_x)
    let east = min(tx + 1, last_x)
    let valid = tx >= first_x and tx <= last_x
    if x >= 0 and x < m { prev[tx] = source[x] }
    barrier
    var computed = false
    for i in 0:iterations {
        computed = tx >= i + 1 and tx <= width - i - 2 and valid
        if computed {
            let shortest = min(min(prev[west], prev[tx]), prev[east])
            best[tx] = shortest + wall[first + i, x]
        }
        barrier
        if i == iterations - 1 { break }
        if computed { prev[tx] = best[tx] }
        barrier
    }
    if computed { result[x] = best[tx] }
}

fn cheapest(wall: i32[n, m]) -> i32[m] {
    var cur = wall[0]
    var next = cur
    for t in 0:n - 1:height {
        launch descend[ceildiv(m, width - 2 * height), width](next, cur, wall, min(height, n - 1 - t), t + 1)
        let old = cur
        cur = next
        next = old
    }
    return cur
}

let wall = [i32((i * cols + j) * 7919 % 10007 % 10) for i in 0:rows, j in 0:cols]
let warm = cheapest(wall)
let start = time()
let cost = cheapest(wall)
let seconds = time() - start
print("check", sum(int(cost[j]) for j), sum(int(cost[j]) * (j % 1009) for j), min(cost))
print("time", seconds)
