# Conway's game of life on a torus
const n = 1024
const reps = 20

kernel generation(next: out u8[ny, nx], cells: u8[ny, nx]) {
    let x = block.x * blockdim.x + thread.x
    let y = block.y * blockdim.y + thread.y
    if x < nx and y < ny {
        let up = (y + ny - 1) % ny
        let down = (y + 1) % ny
        let left = (x + nx - 1) % nx
        let right = (x + 1) % nx
        let around = cells[up, left] + cells[up, x] + cells[up, right] + cells[y, left] + cells[y, right] +
            cells[down, left] + cells[down, x] + cells[down, right]
        next[y, x] = if around == 3 or (around == 2 and cells[y, x] == 1) { 1 } else { 0 }
    }
}

var cells = [u8(if (y * n + x) * 7919 % 10007 % 3 == 0 { 1 } else { 0 }) for y in 0:n, x in 0:n]
var next = cells
let grid = (ceildiv(n, 32), ceildiv(n, 8))
var start = 0.0
for t in 0:reps + 1 {
    if t == 1 { start = time() }
    launch generation[grid, (32, 8)](next, cells)
    let old = cells
    cells = next
    next = old
}
let seconds = (time() - start) / reps
print("check", sum(int(cells)), sum(int(cells[n // 3])))
print("time", seconds)
