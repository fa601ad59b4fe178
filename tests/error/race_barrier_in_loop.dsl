# A barrier in a loop that turns, and in one that does not
kernel right(o: inout int[n]) {
    shared s: int[4]
    let t = thread.x
    var acc = 0
    s[t] = t
    for j in 0:3 {
        barrier
        acc += s[3 - t]
        barrier
    }
    s[3 - t] = t
    barrier
    acc += s[t]
    o[t] = acc
}
kernel wrong(o: inout int[n], m: int) {
    shared s: int[4]
    let t = thread.x
    var acc = 0
    s[t] = t
    for j in m:3 {
        barrier
        acc += s[3 - t]
        barrier
    }
    s[3 - t] = t
    barrier
    acc += s[t]
    o[t] = acc
}
var o = zeros(int, 4)
launch right[1, 4](o)
print(o)
launch wrong[1, 4](o, 3)
print(o)
