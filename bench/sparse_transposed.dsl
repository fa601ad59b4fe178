# y = A^T x of a sparse matrix by rows, some 10 elements in each of a million rows; the peer is the serial loop on one thread, and OpenMP
# atomics on more
const n = 1000000
const reps = 5

kernel product(y: inout f64[m], row: int[k], col: int[nz], a: f64[nz], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        for e in row[i]:row[i + 1] { atomic y[col[e]] += a[e] * x[i] }
    }
}

fn mixed(i: int) -> int {
    let h = i * 2654435761 % 4294967296
    return (h xor (h >> 15)) * 2246822519 % 4294967296
}

let row = [10 * i + i % 3 for i in 0:n + 1]
let nz = row[n]
let col = [mixed(e) % n for e in 0:nz]
let a = [f64(e * 7919 % 10007) / 10007.0 for e in 0:nz]
let x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
var y = zeros(f64, n)
launch product[ceildiv(n, 256), 256](y, row, col, a, x)
let start = time()
for r in 0:reps { launch product[ceildiv(n, 256), 256](y, row, col, a, x) }
let seconds = (time() - start) / reps
print("check", sum(y[i] * (i % 7) for i in 0:n))
print("time", seconds)
