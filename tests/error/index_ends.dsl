# RUN: run interp
# The bound of a guard is an int that is no size: where the last index lies is known before the loops, and the first one
# outside is named.
fn count(k: int) -> int = int(sum(ones(f64, k)))
kernel product(c: out f64[m, n], a: f64[m, p], b: f64[p, n], bias: f64[q], rows: int, columns: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < rows and j < columns {
        var s = bias[i]
        for k in 0:p { s += a[i, k] * b[k, j] }
        c[i, j] = s
    }
}
var c = zeros(f64, 20, 40)
launch product[(3, 2), (16, 16)](c, ones(f64, 20, 5), ones(f64, 5, 40), ones(f64, 18), count(20), count(40))
