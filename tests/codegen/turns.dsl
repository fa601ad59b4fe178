# Short serial loops that change elements whose place they read: the C compiler writes several turns one after the other
# RUN: dslc build --lib --emit=c %s | FileCheck %s
# RUN: (dslc run %s) > %t 2>&1; FileCheck %s --check-prefix=SAID < %t
# RUN: (dslc interp %s) > %t 2>&1; FileCheck %s --check-prefix=SAID < %t
# SAID: 100 1275.0 11 12 11 4.0

# A histogram of bytes, of known and of unknown length
# CHECK-LABEL: {{^}}dsl_array *count(dsl_array *{{[a-z]+}}_arr
# CHECK: #pragma GCC unroll 8
# CHECK-NEXT: for (
export fn count(x: u8[n]) -> int[256] {
    var h = zeros(int, 256)
    for v in x { h[int(v)] += 1 }
    return h
}

# Where each goes
# CHECK-LABEL: {{^}}dsl_array *places(dsl_array *{{[a-z]+}}_arr
# CHECK: #pragma GCC unroll 8
# CHECK-NEXT: for (
# CHECK: dsl_check_index
export fn places(at: i32[n], x: f64[n], y: f64[m]) -> f64[m] {
    var z = y
    for i in 0:n { z[at[i]] = x[i] }
    return z
}

# A place in two axes
# CHECK-LABEL: {{^}}dsl_array *pairs(dsl_array *{{[a-z]+}}_arr
# CHECK: #pragma GCC unroll {{4|8}}
# CHECK-NEXT: for (
export fn pairs(a: int[n], b: int[n]) -> int[9, 9] {
    var h = zeros(int, 9, 9)
    for i in 0:n { h[a[i] % 9, b[i] % 9] += 1 }
    return h
}

# Not: places that the loop counts, few turns, another loop inside, from one turn to the next
# CHECK-LABEL: {{^}}dsl_array *direct(dsl_array *{{[a-z]+}}_arr
# CHECK-NOT: GCC unroll {{[248]}}
# CHECK: static void script(void){{$}}
export fn direct(x: f64[n], at: i32[m]) -> f64[n] {
    var y = x
    for i in 1:n { y[i] = y[i - 1] * 0.5 + y[i] }
    for i in 0:8 { y[at[i]] += 1 }
    for i in 8:m { for k in 0:3 { y[at[i] + k] *= 1.5 } }
    var k = 0
    while k < m { y[at[k]] = y[at[k]] + 0.5; k += 1 + int(at[k]) % 2 }
    return y
}

let bytes = [u8(i * 7 % 51) for i in 0:100]
let at = [i32(i * 7 % 51) for i in 0:100]
let h = count(bytes)
print(sum(h), sum(places(at[0:51], [f64(i) for i in 0:51], zeros(f64, 51))),
      pairs([i for i in 0:100], [i * i for i in 0:100])[1, 1], pairs([i for i in 0:100], [i * i for i in 0:100])[0, 0],
      pairs([i for i in 0:100], [i * i for i in 0:100])[2, 4], direct(ones(f64, 60), at)[0])
