# Tuples as sizes and as grids: written out, variables, fields, shape(x)
struct Box { cells: (int, int), k: int }
kernel inc(y: inout f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m { y[i, j] += 1 }
}
let b = Box((3, 4), 2)
var y = zeros(f64, b.cells)
launch inc[shape(y), 4](y)
launch inc[b.cells, (4, 4)](y)
let s = ((2, 3), 4)
print(y, zeros(f64, s.0), full(2.5, shape(y)), reshape(y, (4, 3)))
