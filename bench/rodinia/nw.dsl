# Rodinia's nw: alignment of two sequences (Needleman and Wunsch), in blocks along antidiagonals; in a block, a wave of
# threads runs from one corner to the other.
# small: n=48 penalty=7
const n = 2048
const penalty = 10
const side = 16

## One block: scores of the cells right of and below the block's north-west corner (y0, x0)
kernel upper(score: inout i32[m, m], reference: i32[m, m], wave: int) {
    shared temp: i32[side + 1, side + 1]
    shared ref: i32[side, side]
    let tx = thread.x
    let x0 = side * block.x
    let y0 = side * (wave - 1 - block.x)
    if tx == 0 { temp[0, 0] = score[y0, x0] }
    for ty in 0:side { ref[ty, tx] = reference[y0 + ty + 1, x0 + tx + 1] }
    barrier
    temp[tx + 1, 0] = score[y0 + tx + 1, x0]
    barrier
    temp[0, tx + 1] = score[y0, x0 + tx + 1]
    barrier
    for k in 0:side {
        if tx <= k {
            let x = tx + 1
            let y = k - tx + 1
            temp[y, x] = max(max(temp[y - 1, x - 1] + ref[y - 1, x - 1], temp[y, x - 1] - penalty), temp[y - 1, x] - penalty)
        }
        barrier
    }
    for back in 0:side - 1 {
        let k = side - 2 - back
        if tx <= k {
            let x = tx + side - k
            let y = side - tx
            temp[y, x] = max(max(temp[y - 1, x - 1] + ref[y - 1, x - 1], temp[y, x - 1] - penalty), temp[y - 1, x] - penalty)
        }
        barrier
    }
    for ty in 0:side { score[y0 + ty + 1, x0 + tx + 1] = temp[ty + 1, tx + 1] }
}

## The same below the main antidiagonal
kernel lower(score: inout i32[m, m], reference: i32[m, m], wave: int, across: int) {
    shared temp: i32[side + 1, side + 1]
    shared ref: i32[side, side]
    let tx = thread.x
    let x0 = side * (block.x + across - wave)
    let y0 = side * (across - block.x - 1)
    for ty in 0:side { ref[ty, tx] = reference[y0 + ty + 1, x0 + tx + 1] }
    barrier
    if tx == 0 { temp[0, 0] = score[y0, x0] }
    temp[tx + 1, 0] = score[y0 + tx + 1, x0]
    barrier
    temp[0, tx + 1] = score[y0, x0 + tx + 1]
    barrier
    for k in 0:side {
        if tx <= k {
            let x = tx + 1
            let y = k - tx + 1
            temp[y, x] = max(max(temp[y - 1, x - 1] + ref[y - 1, x - 1], temp[y, x - 1] - penalty), temp[y - 1, x] - penalty)
        }
        barrier
    }
    for back in 0:side - 1 {
        let k = side - 2 - back
        if tx <= k {
            let x = tx + side - k
            let y = side - tx
            temp[y, x] = max(max(temp[y - 1, x - 1] + ref[y - 1, x - 1], temp[y, x - 1] - penalty), temp[y - 1, x] - penalty)
        }
        barrier
    }
    for ty in 0:side { score[y0 + ty + 1, x0 + tx + 1] = temp[ty + 1, tx + 1] }
}

fn align(start: i32[m, m], reference: i32[m, m]) -> i32[m, m] {
    var score = start
    let across = (m - 1) // side
    for wave in 1:across + 1 {
        launch upper[wave, side](score, reference, wave)
    }
    for back in 1:across {
        let wave = across - back
        launch lower[wave, side](score, reference, wave, across)
    }
    return score
}

## In the place of the table BLOSUM62: how well two of 24 letters go together
fn likeness(a: int, b: int) -> i32 = if a == b { i32(4 + a % 5) } else { i32((a * b + 3 * (a + b)) % 8 - 4) }
fn letter(i: int, prime: int) -> int = i * prime % 10007 % 24

let reference = [if i == 0 or j == 0 { i32(0) } else { likeness(letter(i, 7919), letter(j, 7877)) } for i in 0:n + 1, j in 0:n + 1]
let edges = [if i == 0 { i32(-j * penalty) } else if j == 0 { i32(-i * penalty) } else { i32(0) } for i in 0:n + 1, j in 0:n + 1]
let warm = align(edges, reference)
let start = time()
let score = align(edges, reference)
let seconds = time() - start
print("check", sum(int(score[i, j]) for i, j), sum(int(score[i, j]) * ((i * (n + 1) + j) % 1009) for i, j), score[n, n])
print("time", seconds)
