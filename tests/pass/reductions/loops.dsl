# Loops that accumulate become reductions at every --fp: ints, logic, extremes, places, what was last.
# RUN: dslc --emit=par --verify-each %s | FileCheck %s
# RUN: dslc --emit=par --fp=reassoc %s | FileCheck %s --check-prefix=REASSOC

# CHECK-LABEL: func @count
# CHECK: if(%{{.*}}) : i64 {
# CHECK: for(
# CHECK: } {
# CHECK: reduce(%{{.*}}) {kind = add} : i64 {
# CHECK-NOT: for(
# CHECK: return
export fn count(x: f64[n]) -> int {
    var c = 0
    for i in 0:n { if x[i] > 0.5 { c += 1 } }
    return c
}

# Which zero is the greatest is asked only where it is zero.
# CHECK-LABEL: func @greatest
# CHECK: %[[R:.*]] = reduce(%{{.*}}) {kind = max} : f64 {
# CHECK: max(%{{.*}}, %[[R]])
# CHECK: eq(
# CHECK: if(
# CHECK: reduce(%{{.*}}) {kind = max} : i64 {
# CHECK: ge(
export fn greatest(x: f64[n], first: f64) -> f64 {
    var m = first
    for i in 0:n { m = max(m, x[i]) }
    return m
}

# There is no -0 here.
# CHECK-LABEL: func @norm
# CHECK: reduce(%{{.*}}) {kind = max} : f64 {
# CHECK-NOT: reduce(
# CHECK: return
export fn norm(x: f64[n]) -> f64 {
    var m = 0.0
    for i in 0:n { m = max(m, abs(x[i])) }
    return m
}

# Over both indices: the greatest, then the first place that has it
# CHECK-LABEL: func @place
# CHECK: %[[R:.*]] = reduce(%{{.*}}, %{{.*}}) {kind = max} : f64 {
# CHECK: %[[AT:.*]] = reduce(%{{.*}}, %{{.*}}) {kind = min} : i64 {
# CHECK: eq(%{{.*}}, %[[R]])
# CHECK: gt(%[[R]],
# CHECK: idiv(%[[AT]],
# CHECK: return
export fn place(a: f64[n, m]) -> (int, int) {
    var (best, p, q) = (-1.0, 0, 0)
    for i in 0:n { for j in 0:m { if a[i, j] > best { best = a[i, j]; p = i; q = j } } }
    return (p, q)
}

# CHECK-LABEL: func @flags
# CHECK: reduce(%{{.*}}) {kind = and} : bool
# CHECK: reduce(%{{.*}}) {kind = or} : bool
# CHECK: reduce(%{{.*}}) {kind = xor} : bool
# CHECK: return
export fn flags(x: f64[n]) -> (bool, bool, bool) {
    var (every, any, odd) = (true, false, false)
    for i in 0:n { every = every and x[i] >= 0; if x[i] > 1 { any = true }; odd = odd != (x[i] < 0.5) }
    return (every, any, odd)
}

# CHECK-LABEL: func @last
# CHECK: reduce(%{{.*}}) {kind = max} : i64 {
# CHECK: return
export fn last(x: f64[n]) -> f64 {
    var v = 0.0
    for i in 0:n { if x[i] > 0.5 { v = sqrt(x[i]) } }
    return v
}

# Rows of a triangle: their loops stay, as elements
# CHECK-LABEL: func @triangle
# CHECK: reduce(%{{.*}}) {kind = add} : i64 {
# CHECK: for(
# CHECK: return
export fn triangle(a: f64[n, n]) -> int {
    var c = 0
    for i in 0:n { for j in 0:i { if a[i, j] > 0.5 { c += j } } }
    return c
}

# Recurrences, what NaN makes unlike max, what a turn shows, and floats' sums
# CHECK-LABEL: func @others
# CHECK-NOT: reduce(
# CHECK-LABEL: func @product
# CHECK-NOT: reduce(
# CHECK: return
# REASSOC-LABEL: func @others
# REASSOC: return
# REASSOC-LABEL: func @product
# REASSOC: reduce(%{{.*}}) {kind = add} : f64 {
# REASSOC: select(
# REASSOC: reduce(%{{.*}}) {kind = mul} : f64 {
# REASSOC-NOT: for(
# REASSOC: return
export fn others(x: f64[n], k: int[n]) -> (f64, int, int) {
    var (m, c, d) = (0.0, 0, 0)
    for i in 0:n { if not (x[i] <= m) { m = x[i] } }
    for i in 0:n { c = min(c + k[i], 50) }
    for i in 0:n { d += 1; print(d) }
    return (m, c, d)
}
export fn product(x: f64[n]) -> (f64, f64) {
    var (p, s) = (1.0, 0.0)
    for i in 0:n { p *= x[i]; if x[i] > 0 { s += x[i] } }
    return (p, s)
}
