# The counter is set to 0 while others add
kernel right(y: out int[n], x: int[n]) {
    shared count: int[1]
    if thread.x == 0 { count[0] = 0 }
    barrier
    if x[thread.x] > 3 { atomic count[0] += 1 }
    barrier
    y[thread.x] = count[0]
}
kernel wrong(y: out int[n], x: int[n]) {
    shared count: int[1]
    if thread.x == 0 { count[0] = 0 }
    atomic count[0] += x[thread.x]
    barrier
    y[thread.x] = count[0]
}
let x = [k for k in 0:32]
var y = zeros(int, 32)
launch right[1, 32](y, x)
launch wrong[1, 32](y, x)
print(y)
