# A counter in shared memory
kernel right(y: out int[n]) {
    shared c: int[1]
    if thread.x == 0 { c[0] = 0 }
    barrier
    atomic c[0] += 1
    barrier
    if thread.x == 0 { y[block.x] = c[0] }
}
kernel wrong(y: out int[n]) {
    shared c: int[1]
    if thread.x == 0 { c[0] = 0 }
    barrier
    c[0] += 1
    barrier
    if thread.x == 0 { y[block.x] = c[0] }
}
var y = zeros(int, 2)
launch right[2, 32](y)
launch wrong[2, 32](y)
print(y)
