# Many values that are kept for the second loop stand next to each other, by type; few have arrays of their own.  The two
# loops come in rounds, so that what is kept stays in the cache.
# RUN: dslc --emit=loops %s -o - | FileCheck %s

# CHECK-LABEL: func @many(
# CHECK: gt({{.*}}) : bool
# CHECK: [[KEPT:%.*]] = alloc : buf<f64[16384, 8], shared>
# CHECK-NOT: alloc : buf<f64[16384
# CHECK: for({{.*}}, [[N:%.*]], [[ROUND:%.*]]) {
# CHECK-NEXT: ([[FIRST:%.*]]: i64)
# CHECK-NEXT: [[LEFT:%.*]] = sub([[N]], [[FIRST]])
# CHECK-NEXT: [[SIZE:%.*]] = min([[LEFT]], [[ROUND]])
# CHECK-NEXT: parallel([[SIZE]]) {kind = plain} {
# CHECK-NEXT: ([[I:%.*]]: i64)
# CHECK-NEXT: [[AT:%.*]] = add([[I]], [[FIRST]])
# CHECK: load(%x{{.*}}, [[AT]]) {safe}
# CHECK: store({{.*}}, [[KEPT]], [[I]], {{.*}}) {safe}
# CHECK-LABEL: func @few(
# CHECK: alloc : buf<f64[65536{{.*}}], shared>
export fn many(node: int[n, 8], x: f64[n]) -> f64[1000] {
    var y = zeros(f64, 1000)
    parallel for i in 0:n {
        let a = exp(x[i])
        let b = sin(x[i]) * a
        let c = sqrt(x[i]) + b
        let d = cos(x[i]) / c
        atomic y[node[i, 0]] += a * b
        atomic y[node[i, 1]] += b * c
        atomic y[node[i, 2]] += c * d
        atomic y[node[i, 3]] += d * a
        atomic y[node[i, 4]] += a * c
        atomic y[node[i, 5]] += b * d
        atomic y[node[i, 6]] += a / b
        atomic y[node[i, 7]] += b / d
    }
    return y
}
export fn few(node: int[n, 2], x: f64[n]) -> f64[1000] {
    var y = zeros(f64, 1000)
    parallel for i in 0:n {
        let a = exp(x[i])
        atomic y[node[i, 0]] += a * sin(a)
        atomic y[node[i, 1]] += a * cos(a)
    }
    return y
}
