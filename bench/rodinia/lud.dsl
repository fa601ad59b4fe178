# Rodinia's lud: LU factors of a matrix, in blocks, in place.
# small: n=80
import "inputs.dsl"
const n = 1024
const side = 16

## Factors of one block on the diagonal
kernel diagonal(a: inout f32[m, m], offset: int) {
    shared shadow: f32[side, side]
    let tx = thread.x
    for i in 0:side { shadow[i, tx] = a[offset + i, offset + tx] }
    barrier
    for i in 0:side - 1 {
        if tx > i {
            for j in 0:i { shadow[tx, i] -= shadow[tx, j] * shadow[j, i] }
            shadow[tx, i] /= shadow[i, i]
        }
        barrier
        if tx > i {
            for j in 0:i + 1 { shadow[i + 1, tx] -= shadow[i + 1, j] * shadow[j, tx] }
        }
        barrier
    }
    for i in 1:side { a[offset + i, offset + tx] = shadow[i, tx] }
}

## The blocks right of it and below it: half of the threads take a block of the row, half one of the column
kernel perimeter(a: inout f32[m, m], offset: int) {
    shared dia: f32[side, side]
    shared row: f32[side, side]
    shared column: f32[side, side]
    let at = offset + (block.x + 1) * side
    if thread.x < side {
        let t = thread.x
        for i in 0:side // 2 { dia[i, t] = a[offset + i, offset + t] }
        for i in 0:side { row[i, t] = a[offset + i, at + t] }
    } else {
        let t = thread.x - side
        for i in side // 2:side { dia[i, t] = a[offset + i, offset + t] }
        for i in 0:side { column[i, t] = a[at + i, offset + t] }
    }
    barrier
    if thread.x < side {
        let t = thread.x
        for i in 1:side {
            for j in 0:i { row[i, t] -= dia[i, j] * row[j, t] }
        }
    } else {
        let t = thread.x - side
        for i in 0:side {
            for j in 0:i { column[t, i] -= column[t, j] * dia[j, i] }
            column[t, i] /= dia[i, i]
        }
    }
    barrier
    if thread.x < side {
        let t = thread.x
        for i in 1:side { a[offset + i, at + t] = row[i, t] }
    } else {
        let t = thread.x - side
        for i in 0:side { a[at + i, offset + t] = column[i, t] }
    }
}

## All the others
kernel internal(a: inout f32[m, m], offset: int) {
    shared row: f32[side, side]
    shared column: f32[side, side]
    let tx = thread.x
    let ty = thread.y
    let y = offset + (block.y + 1) * side + ty
    let x = offset + (block.x + 1) * side + tx
    row[ty, tx] = a[offset + ty, x]
    column[ty, tx] = a[y, offset + tx]
    barrier
    var s = f32(0)
    for i in 0:side { s += column[ty, i] * row[i, tx] }
    a[y, x] -= s
}

fn factors(matrix: f32[m, m]) -> f32[m, m] {
    var a = matrix
    for offset in 0:m - side:side {
        let blocks = (m - offset) // side - 1
        launch diagonal[1, side](a, offset)
        launch perimeter[blocks, 2 * side](a, offset)
        launch internal[(blocks, blocks), (side, side)](a, offset)
    }
    launch diagonal[1, side](a, m - side)
    return a
}

let matrix = [fraction(i * n + j, 7919, 10007) + (if i == j { f32(n) } else { 0 }) for i in 0:n, j in 0:n]
let warm = factors(matrix)
let start = time()
let lu = factors(matrix)
let seconds = time() - start
print("check", sum(f64(lu)), weighted(lu), lu[n - 1, n - 1], lu[n // 2, n // 3])
print("time", seconds)
