# Two launches of a second difference, with tiles in shared memory, are one fourth difference: 1, -4, 6, -4, 1.
# RUN: dslc --fp=reassoc --emit=par %s -o - | FileCheck %s
# CHECK: func @twice(
# CHECK-NOT: island
# CHECK: generate
# CHECK: const {value = 4.0}
# CHECK: const {value = 6.0}
# CHECK-NOT: generate
# CHECK: main @main
const B = 32
kernel second(v: out f64[n], u: f64[n]) {
    shared s: f64[B + 2]
    let t = thread.x
    let i = block.x * B + t
    if i < n { s[t + 1] = u[i] }
    if t == 0 and i > 0 { s[0] = u[i - 1] }
    if t == B - 1 and i + 1 < n { s[B + 1] = u[i + 1] }
    barrier
    if i > 0 and i < n - 1 { v[i] = s[t] - 2 * s[t + 1] + s[t + 2] }
}
export fn twice(u: f64[n]) -> f64[n] {
    var v = zeros(f64, n)
    launch second[ceildiv(n, B), B](v, u)
    var w = zeros(f64, n)
    launch second[ceildiv(n, B), B](w, v)
    return w
}
print(twice([f64(i)^4 for i in 0:12]))
