# Work behind the first index of what it adds to: each thread runs all iterations, and does what is behind indices of its own.
# RUN: dslc --emit=loops %s -o - | FileCheck %s

# CHECK-LABEL: func @rows(
# CHECK: [[THREADS:%.*]] = threads : i64
# CHECK: parallel([[THREADS]]) {kind = plain, tiles} {
# CHECK-NEXT: ([[THREAD:%.*]]: i64)
# CHECK: for({{.*}}) {
# CHECK: for({{.*}}) {
# CHECK: [[ROW:%.*]] = load(%at{{.*}}) {safe} : i64
# CHECK-NEXT: [[OWNER:%.*]] = mod([[ROW]], [[THREADS]]) {safe} : i64
# CHECK-NEXT: [[OWN:%.*]] = eq([[OWNER]], [[THREAD]]) : bool
# CHECK-NEXT: if([[OWN]]) {
# CHECK: exp(
# CHECK: store(
# CHECK-NOT: atomic(
# CHECK: parallel(
export fn rows(x: f64[n], at: int[n, 8]) -> f64[1000, 40] {
    var y = zeros(f64, 1000, 40)
    parallel for i in 0:n {
        for s in 0:8 {
            let k = at[i, s]
            for j in 0:40 { atomic y[k, j] += exp(x[i] * j) }
        }
    }
    return y
}
# Neighbours in one row of memory belong to one thread.
# CHECK-LABEL: func @line(
# CHECK: [[THREADS:%.*]] = threads : i64
# CHECK: [[FIVE:%.*]] = const {value = 5} : i64
# CHECK: [[GROUP:%.*]] = shr({{.*}}, [[FIVE]]) : i64
# CHECK-NEXT: mod([[GROUP]], [[THREADS]]) {safe} : i64
export fn line(x: f64[n], at: int[n]) -> f64[1000] {
    var y = zeros(f64, 1000)
    parallel for i in 0:n {
        let k = at[i]
        var t = 0.0
        for s in 0:9 { t += exp(x[i] * s) }
        atomic y[k] += t
    }
    return y
}
# Most of the work stands before the index; something else is written; the sums have two first indices: lists.
# CHECK-LABEL: func @before(
# CHECK-NOT: mod(
# CHECK: func @besides(
# CHECK-NOT: mod(
# CHECK: func @crossed(
# CHECK-NOT: mod(
# CHECK: func @last(
export fn before(x: f64[n], at: int[n]) -> f64[1000] {
    var y = zeros(f64, 1000)
    parallel for i in 0:n {
        var t = 0.0
        for s in 0:9 { t += exp(x[i] * s) }
        let k = at[i] + int(t)
        atomic y[k] += t
    }
    return y
}
export fn besides(x: f64[n], at: int[n]) -> (f64[1000, 9], f64[n]) {
    var y = zeros(f64, 1000, 9)
    var z = zeros(f64, n)
    parallel for i in 0:n {
        z[i] = 2 * x[i]
        let k = at[i]
        for s in 0:9 { atomic y[k, s] += exp(x[i] * s) }
    }
    return (y, z)
}
export fn crossed(x: f64[n], at: int[n]) -> f64[1000, 1000] {
    var y = zeros(f64, 1000, 1000)
    parallel for i in 0:n {
        let k = at[i]
        for s in 0:9 {
            atomic y[k, s] += exp(x[i] * s)
            atomic y[s, k] += exp(x[i])
        }
    }
    return y
}
export fn last(x: f64) -> f64 = x
