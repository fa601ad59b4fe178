# Calls, loops and C functions that an index does not change are done once, where there is a first turn; what prints, what
# stands behind that, and what other C functions do stays.
# RUN: dslc --print-after=hoist-arrays --emit=par %s -o %t 2>&1 | FileCheck %s
extern fn other(x: f64[n]) -> f64

# CHECK-LABEL: func @sorted
# CHECK: [[RUNS:%.*]] = gt(%{{.*}}, %{{.*}}) : bool
# CHECK: [[SORTED:%.*]] = if([[RUNS]]) : f64[n] {
# CHECK: extern(%x) {func = @dsl_m_argsort}
# CHECK: reduce
# CHECK-NOT: extern
# CHECK: extract([[SORTED]],
# CHECK: return
export fn sorted(x: f64[n]) -> f64 = sum(sort(x)[i] * i for i in 0:n)

# CHECK-LABEL: func @surely
# CHECK-NOT: if(
# CHECK: extern(%x) {func = @dsl_m_argsort}
# CHECK: generate : f64[9] {
# CHECK-NOT: extern
# CHECK: return
export fn surely(x: f64[9]) -> f64[9] = [sort(x)[i] * i for i in 0:9]

fn halves(x: f64[n], k: int) -> f64[n] = if k < 2 { x } else { halves(x, k - 1) + 0.5 * halves(x, k - 2) }

# CHECK-LABEL: func @recursive
# CHECK: if(
# CHECK: call(%x, %k) {func = @halves}
# CHECK: generate
# CHECK-NOT: call
# CHECK: return
export fn recursive(x: f64[n], k: int) -> f64[n] = [halves(x, k)[i] * i for i in 0:n]

# CHECK-LABEL: func @turns
# CHECK: gt(%k, %j)
# CHECK: if(
# CHECK: extern(%x) {func = @dsl_m_argsort}
# CHECK: for(%j, %k,
# CHECK-NOT: extern
# CHECK: return
export fn turns(x: f64[n], j: int, k: int) -> f64 {
    var s = 0.0
    for t in j:k { s += sort(x)[t] * t }
    return s
}

# A checked condition comes along.
# CHECK-LABEL: func @checked
# CHECK: if(
# CHECK: check(
# CHECK: while(
# CHECK: reduce
# CHECK-NOT: check(
# CHECK: return
fn until(x: f64[n]) -> f64[n] {
    assert n > 3, "few"
    var y = x
    while sum(y) > 1.0 { y = 0.5 * y }
    return y
}
export fn checked(x: f64[n], m: int) -> f64 = sum(until(x)[0] * i for i in 0:m)

# CHECK-LABEL: func @shown
# CHECK: for(
# CHECK: print(
# CHECK: extern(%x) {func = @dsl_m_argsort}
export fn shown(x: f64[n]) -> f64 {
    var s = 0.0
    for t in 0:n {
        print(t)
        s += sort(x)[t] * t
    }
    return s
}

# CHECK-LABEL: func @unknown
# CHECK: for(
# CHECK: extern(%x) {func = @other}
export fn unknown(x: f64[n]) -> f64 {
    var s = 0.0
    for t in 0:n { s += other(x) * t }
    return s
}

# CHECK-LABEL: func @changes
# CHECK: for(
# CHECK: extern(
export fn changes(x: f64[n]) -> f64[n] {
    var y = x
    for t in 0:n { y = y + sort(y)[t] }
    return y
}

# CHECK-LABEL: func @repeated
# CHECK: for(
# CHECK: extern(%x) {func = @dsl_m_argsort}
export fn repeated(x: f64[n], k: int) -> f64[n] {
    var y = x
    for r in 0:k { y = sort(x) }
    return y
}

# CHECK-LABEL: func @timed
# CHECK: for(
# CHECK: dsl_x_time
# CHECK: extern(%x) {func = @dsl_m_argsort}
export fn timed(x: f64[n]) -> f64 {
    var s = 0.0
    for t in 0:9 {
        let begun = time()
        s += sort(x)[t]
        print(time() - begun)
    }
    return s
}
