# A block larger than its tile
kernel right(y: out f64[n, n]) {
    shared t: f64[8, 8]
    t[thread.y, thread.x] = thread.x
    barrier
    y[thread.y, thread.x] = t[thread.x, thread.y]
}
kernel wrong(y: out f64[n, n]) {
    shared t: f64[8, 4]
    t[thread.y, thread.x] = thread.x
    barrier
    y[thread.y, thread.x] = t[thread.y, thread.x // 2]
}
var y = zeros(f64, 8, 8)
launch right[1, (8, 8)](y)
launch wrong[1, (8, 8)](y)
print(y)
