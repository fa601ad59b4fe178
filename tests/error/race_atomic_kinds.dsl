# Updates of two kinds are not one order
kernel right(y: inout int[m], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic y[0] max= x[i] }
}
kernel wrong(y: inout int[m], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        atomic y[0] += x[i]
        atomic y[0] max= 10
    }
}
let x = [k for k in 0:64]
var y = zeros(int, 2)
launch right[2, 32](y, x)
launch wrong[2, 32](y, x)
print(y)
