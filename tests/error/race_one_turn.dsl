# A barrier in the one turn that reads and writes, and in another one
kernel right(o: inout int[n]) {
    shared s: int[8]
    let t = thread.x
    var acc = 0
    s[t] = t
    barrier
    for j in 0:3 {
        if j == 0 {
            acc = s[7 - t]
            barrier
            s[t] = t + 1
        }
    }
    o[t] = acc
}
kernel wrong(o: inout int[n]) {
    shared s: int[8]
    let t = thread.x
    var acc = 0
    s[t] = t
    barrier
    for j in 0:3 {
        if j == 0 { acc = s[7 - t] }
        if j == 2 { barrier }
        if j == 1 { s[t] = t + 1 }
    }
    o[t] = acc
}
var o = zeros(int, 8)
launch right[1, 8](o)
print(o)
launch wrong[1, 8](o)
print(o)
