# An index that leaves out the third axis
kernel right(b: out f64[p, n, m]) {
    b[thread.z, thread.y, thread.x] = thread.z
}
kernel wrong(b: out f64[p, n, m]) {
    b[0, thread.y, thread.x] = thread.z
}
var b = zeros(f64, 2, 3, 4)
launch right[1, (4, 3, 2)](b)
launch wrong[1, (4, 3, 2)](b)
print(b)
