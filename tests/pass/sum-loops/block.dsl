# What the threads of a block add to shared memory: a nest for each sum, the loops over its elements outside, the others carry it.
# RUN: dslc --emit=loops %s -o - | FileCheck %s

# CHECK-LABEL: func @rows_and_columns(
# CHECK: parallel({{.*}}) {kind = block
# CHECK: parallel({{.*}}, {{.*}}, {{.*}}) {kind = plain
# CHECK-NEXT: ([[C:%.*]]: i64, [[K:%.*]]: i64, [[I:%.*]]: i64)
# CHECK-NEXT: [[OLD:%.*]] = load([[F:%.*]], [[C]], [[K]], [[I]]) {safe} : f64
# CHECK-NEXT: [[SUM:%.*]] = for({{.*}}, [[OLD]]) : f64 {
# CHECK-NOT: for(
# CHECK: yield(
# CHECK: store([[SUM]], [[F]], [[C]], [[K]], [[I]]) {safe}
# CHECK: parallel({{.*}}, {{.*}}, {{.*}}) {kind = plain
# CHECK-NEXT: ([[D:%.*]]: i64, [[J:%.*]]: i64, [[L:%.*]]: i64)
# CHECK-NEXT: load([[G:%.*]], [[D]], [[J]], [[L]]) {safe} : f64
# CHECK-NEXT: for(
# CHECK: store({{.*}}, [[G]], [[D]], [[J]], [[L]]) {safe}
# CHECK-NOT: atomic(
# CHECK-LABEL: func @elsewhere(
kernel both(y: out f64[n, 8, 8], x: f64[n, 4, 8, 8], s: f64[8, 8]) {
    shared f: f64[4, 8, 8]
    shared g: f64[4, 8, 8]
    let (b, i, j) = (block.x, thread.x, thread.y)
    for c in 0:4 {
        f[c, j, i] = 0.0
        g[c, j, i] = 0.0
    }
    barrier
    for c in 0:4 {
        for k in 0:8 {
            atomic f[c, k, i] += x[b, c, j, i] * s[k, j]
            atomic g[c, j, 7 - k] += x[b, c, j, i] * s[k, i]
        }
    }
    barrier
    y[b, j, i] = f[0, j, i] + f[1, i, j] + g[2, j, i] + g[3, j, i]
}
kernel back(y: out f64[n, 8, 8], x: f64[n, 4, 8, 8], s: f64[8, 8]) {
    shared f: f64[4, 8, 8]
    shared g: f64[4, 8, 8]
    let (b, i, j) = (block.x, thread.x, thread.y)
    for c in 0:4 {
        f[c, j, i] = 0.0
        g[c, j, i] = 0.0
    }
    barrier
    for c in 0:4 {
        for k in 0:8 {
            atomic f[c, k, i] += x[b, c, j, i] * s[k, j]
            atomic g[c, j, k] += x[b, c, j, i] * s[k, i]
        }
    }
    barrier
    y[b, j, i] = f[0, j, i] + f[1, i, j] + g[2, j, i] + g[3, j, i]
}
export fn rows_and_columns(x: f64[n, 4, 8, 8], s: f64[8, 8]) -> f64[n, 8, 8] {
    var y = zeros(f64, n, 8, 8)
    launch back[n, (8, 8)](y, x, s)
    return y
}
# An index that is computed; memory that all blocks add to: as they are.
# CHECK: atomic(
# CHECK-LABEL: func @of_all(
# CHECK: atomic(
# CHECK: return
export fn elsewhere(x: f64[n, 4, 8, 8], s: f64[8, 8]) -> f64[n, 8, 8] {
    var y = zeros(f64, n, 8, 8)
    launch both[n, (8, 8)](y, x, s)
    return y
}
kernel sums(y: inout f64[8, 8], x: f64[n, 8, 8], s: f64[8, 8]) {
    let (b, i, j) = (block.x, thread.x, thread.y)
    for k in 0:8 { atomic y[k, i] += x[b, j, i] * s[k, j] }
}
export fn of_all(x: f64[n, 8, 8], s: f64[8, 8]) -> f64[8, 8] {
    var y = zeros(f64, 8, 8)
    launch sums[n, (8, 8)](y, x, s)
    return y
}
