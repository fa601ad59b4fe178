# RUN: dslc run %s | FileCheck %s
# RUN: dslc --emit=par %s | FileCheck %s --check-prefix=PAR
# A branch that reads an array comes along with the loop in it.
# PAR: generate : f64[
# PAR: for(
# PAR: name = "some"
# CHECK: 1222.0625
kernel some(y: out f64[n, m], x: f64[n, m], at: f64[3]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m {
        if at[1] > 0.5 {
            var s = 0.0
            for k in 0:m { s = 0.5 * s + x[i, k] }
            y[i, j] = s
        }
    }
}
fn go(n: int, m: int) -> f64 {
    var y = zeros(f64, n, m)
    launch some[(ceildiv(m, 8), ceildiv(n, 4)), (8, 4)](y, [f64(i + j) for i in 0:n, j in 0:m], [f64(i % 2) for i in 0:3])
    return sum(y)
}
print(go(6, 4) + go(7, 8))
