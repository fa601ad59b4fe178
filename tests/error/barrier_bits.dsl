# Guards of conversions, bits, absolute values and quotients that are the same for all threads of a block; two that are not, one that nobody can tell
kernel a(y: inout int[n]) {
    let t = thread.x
    shared s: int[32]
    s[t] = t
    if i8(t) >= 0 { barrier }
    y[t] = s[31 - t]
}
kernel b(y: inout int[n]) {
    let t = thread.x
    shared s: int[32]
    s[t] = t
    if (t xor 1) < 64 { barrier }
    y[t] = s[31 - t]
}
kernel c(y: inout int[n]) {
    let t = thread.x
    shared s: int[32]
    s[t] = t
    if (t | 1) < 64 { barrier }
    y[t] = s[31 - t]
}
kernel d(y: inout int[n]) {
    let t = thread.x
    shared s: int[32]
    s[t] = t
    if abs(t) < 64 { barrier }
    y[t] = s[31 - t]
}
kernel e(y: inout int[n]) {
    let t = thread.x
    shared s: int[32]
    s[t] = t
    if u8(t) < 64 { barrier }
    y[t] = s[31 - t]
}
kernel f(y: inout int[n]) {
    let t = thread.x
    shared s: int[32]
    s[t] = t
    if i32(t) & 64 == 0 { barrier }
    y[t] = s[31 - t]
}
kernel g(y: inout int[n]) {
    let t = thread.x
    if t >> 6 == 0 { barrier }
    if t * t < 2000 { barrier }
    if sign(t) >= 0 { barrier }
    if i16(t) * i16(t) >= 0 { barrier }
    if (u8(t) + 200) % 2 == 0 or u8(t) + 200 < 255 or t >= 0 { barrier }
    if (t xor 1) < 0 or (t & -2) > t or ~t >= 0 { if t < 3 { barrier } }
    y[t] = 1
}
kernel wrong(y: inout int[n]) {
    let t = thread.x
    if i8(t) < 5 { barrier }
    if (t xor 1) < 10 { if t < 12 { barrier } }
    if u8(t) + 230 > 100 { barrier }
    for k in 0:(t & 1) + 1 { barrier }
    y[t] = t
}
kernel open(y: inout int[n], q: int) {
    let t = thread.x
    if t < q { barrier }
    for k in 0:(t & 1) + 1 { if i8(t) == 77 { barrier } }
    if i8(q) > t { barrier }
    y[t] = t
}
var y = zeros(int, 32)
launch a[1, 32](y)
launch b[1, 32](y)
launch c[1, 32](y)
launch d[1, 32](y)
launch e[1, 32](y)
launch f[1, 32](y)
launch g[1, 32](y)
launch wrong[1, 32](y)
let q = int(40.5 + uniform(1, 1))
launch open[1, 32](y, q)
print(y)
