# Ints that wait for several operations of the turn before: two vectors of lanes.  A sum of ints, whose order is free, is
# left to the C compiler, and so is a state of four words.
# RUN: dslc --emit=c %s | FileCheck %s
# CHECK-LABEL: {{^}}dsl_array *mixed(dsl_array *{{[a-z]+}}_arr
# CHECK: lane < 16
# CHECK-LABEL: {{^}}dsl_array *hash(dsl_array *{{[a-z]+}}_arr
# CHECK: lane < 32
# CHECK-LABEL: {{^}}dsl_array *logistic(dsl_array *{{[a-z]+}}_arr
# CHECK: lane < 16
# CHECK-LABEL: {{^}}dsl_array *launched(dsl_array *{{[a-z]+}}_arr
# CHECK: lane < 16
# CHECK-LABEL: {{^}}dsl_array *sums(dsl_array *{{[a-z]+}}_arr
# CHECK-NOT: lane <
# CHECK-LABEL: {{^}}dsl_array *wide(dsl_array *{{[a-z]+}}_arr
# CHECK-NOT: lane <
# CHECK: return
fn one(seed: u64) -> u64 {
    var s = seed
    for t in 0:100 {
        s = s xor s << 13
        s = s xor s >> 7
    }
    return s
}
export fn mixed(seed: u64[n]) -> u64[n] = [one(seed[i]) for i in 0:n]
fn of_key(start: u32, key: u8[m]) -> u32 {
    var h = start
    for c in key { h = (h xor u32(c)) * 16777619 }
    return h
}
export fn hash(start: u32[n], key: u8[m]) -> u32[n] = [of_key(start[i], key) for i in 0:n]
fn settled(x0: f64) -> f64 {
    var x = x0
    for t in 0:100 { x = 3.7 * x * (1 - x) }
    return x
}
export fn logistic(x: f64[n]) -> f64[n] = [settled(x[i]) for i in 0:n]
kernel congruent(y: inout u64[n], m: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var s = y[i]
        for t in 0:m { s = s * 6364136223846793005 + 1442695040888963407 }
        y[i] = s
    }
}
export fn launched(x: u64[n], m: int) -> u64[n] {
    var y = x
    launch congruent[ceildiv(n, 64), 64](y, m)
    return y
}
fn added(x: int, key: int[m]) -> int {
    var s = x
    for c in key { s += c * x }
    return s
}
export fn sums(x: int[n], key: int[m]) -> int[n] = [added(x[i], key) for i in 0:n]
fn shifted(seed: u32, m: int) -> u32 {
    var x = seed
    var y = u32(2)
    var z = u32(3)
    var w = u32(4)
    for t in 0:m {
        let u = x xor x << 11
        x = y
        y = z
        z = w
        w = w xor w >> 19 xor u xor u >> 8
    }
    return w
}
export fn wide(seed: u32[n], m: int) -> u32[n] = [shifted(seed[i], m) for i in 0:n]
