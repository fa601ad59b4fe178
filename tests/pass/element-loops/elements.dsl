# Loops that set all elements of an array become comprehensions; what works in place stays, but for StableHLO.
# RUN: dslc --emit=par --verify-each %s | FileCheck %s
# RUN: dslc --emit=stablehlo --size=n=8 --size=m=6 %s | FileCheck %s --check-prefix=XLA

# CHECK-LABEL: func @turned
# CHECK-NOT: for(
# CHECK: generate : f64[m, n] {
# CHECK-NEXT: (%j: i64, %i: i64)
# CHECK-NEXT: extract(%x, %i, %j) {safe}
# CHECK-NOT: generate
# CHECK: return
# XLA-LABEL: @turned
# XLA-NEXT: stablehlo.transpose %x, dims = [1, 0]
# XLA-NEXT: return
export fn turned(x: f64[n, m]) -> f64[m, n] {
    var y = zeros(f64, m, n)
    for i in 0:n { for j in 0:m { y[j, i] = x[i, j] } }
    return y
}
# CHECK-LABEL: func @backwards
# CHECK: generate : f64[n] {
# CHECK-NOT: {{for|generate}}
# CHECK: return
# XLA-LABEL: @backwards
# XLA-NEXT: stablehlo.reverse %x
export fn backwards(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    for i in 0:n { y[n - 1 - i] = x[i] }
    return y
}
# CHECK-LABEL: func @gathered
# CHECK: generate : f64[n] {
# CHECK: extract(%x, %{{[0-9]+}}) : f64
# CHECK-NOT: {{for|generate}}
# CHECK: return
# XLA-LABEL: @gathered
# XLA-NOT: while
# XLA: stablehlo.gather
export fn gathered(x: f64[n], at: int[n]) -> f64[n] {
    var y = zeros(f64, n)
    for i in 0:n { y[i] = x[at[i]] }
    return y
}
# Writes after reads
# CHECK-LABEL: func @in_place
# CHECK: for(
# XLA-LABEL: @in_place
# XLA-NOT: while
# XLA: slice %x [0:7]
# XLA: slice %x [1:8]
# XLA: return
export fn in_place(x: f64[n]) -> f64[n] {
    var y = x
    for i in 0:n - 1 { y[i] = y[i + 1] - y[i] }
    return y
}
# XLA-LABEL: @columns
# XLA: while
# XLA: return
export fn columns(x: f64[n, m]) -> f64[m] {
    var s = zeros(f64, m)
    for i in 0:n { for j in 0:m { s[j] += x[i, j] } }
    return s
}
# Reads after writes; a row whose elements may stop the program in another order
# CHECK-LABEL: func @recurrence
# CHECK: for(
# XLA-LABEL: @recurrence
# XLA: while
export fn recurrence(x: f64[n]) -> f64[n] {
    var y = x
    for i in 1:n { y[i] = y[i - 1] + y[i] }
    return y
}
# CHECK-LABEL: func @other_order
# CHECK: for(
# CHECK: return
export fn other_order(x: f64[n], at: int[n]) -> f64[n] {
    var y = zeros(f64, n)
    for i in 0:n { y[n - 1 - i] = x[at[i]] }
    return y
}
