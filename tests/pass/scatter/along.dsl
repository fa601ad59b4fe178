# Sums next to each other, of which several share a line of the cache: lists are worth it from four threads on; of sums
# that lie apart, in an array that no cache close by holds, from two on.
# RUN: dslc --emit=loops %s -o - | FileCheck %s

# CHECK-LABEL: func @beside(
# CHECK: [[THREADS:%.*]] = threads : i64
# CHECK: ge([[THREADS]],
# CHECK: alloc
# CHECK-LABEL: func @columns(
# CHECK: [[THREADS:%.*]] = threads : i64
# CHECK: ge([[THREADS]],
# CHECK: alloc
# CHECK-LABEL: func @apart(
# CHECK: [[THREADS:%.*]] = threads : i64
# CHECK-NOT: ge([[THREADS]],
# CHECK: alloc
export fn beside(at: int[n], x: f64[n]) -> f64[1000000, 5] {
    var y = zeros(f64, 1000000, 5)
    parallel for i in 0:n {
        for c in 0:5 { atomic y[at[i], c] += x[i] * c }
    }
    return y
}
export fn columns(at: int[n], x: f64[n]) -> f64[1000000, 2] {
    var y = zeros(f64, 1000000, 2)
    parallel for i in 0:n {
        atomic y[at[i], 0] += x[i]
        atomic y[at[i], 1] += 2 * x[i]
    }
    return y
}
export fn apart(at: int[n], x: f64[n]) -> f64[1000000] {
    var y = zeros(f64, 1000000)
    parallel for i in 0:n { atomic y[at[i]] += x[i] }
    return y
}
