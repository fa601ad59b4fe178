# A barrier behind a question that all threads answer alike: yes, and no
kernel right(o: out int[n]) {
    shared s: int[6]
    let t = thread.x
    s[t + 1] = t
    if blockdim.x > 2 { barrier }
    if t > 0 { o[t] = s[t] }
}
kernel wrong(o: out int[n]) {
    shared s: int[6]
    let t = thread.x
    s[t + 1] = t
    if blockdim.x > 5 { barrier }
    if t > 0 { o[t] = s[t] }
}
var o = zeros(int, 5)
launch right[1, 5](o)
print(o)
launch wrong[1, 5](o)
print(o)
