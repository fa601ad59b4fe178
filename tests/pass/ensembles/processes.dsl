# RUN: dslc --target=mpi --emit=loops %s | FileCheck %s
# RUN: dslc check --explain-processes %s 2>&1 | FileCheck %s --check-prefix=TOLD
# Processes share the turns: each owns the rows that its turns write, and needs all of what they read besides.
fn steps(a: f64, u: f64[n]) -> f64[n] {
    var v = u
    for t in 0:50 { v = [v[i] + a * v[(i + 1) % n] for i in 0:n] }
    return v
}

# CHECK-LABEL: func @blocks(
# CHECK: %[[N:[0-9]+]] = part(%[[T:[0-9]+]], %[[T]], %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}) : i64
# CHECK: for({{.*}}, %[[N]], {{.*}}) {
# CHECK: %[[FROM:[0-9]+]], %[[TO:[0-9]+]] = share(%[[P:[0-9.a-z]+]])
# CHECK: own(%{{.*}}, %[[P]], %{{[0-9]+}}, %{{[0-9]+}})
# CHECK: need(%u, %[[P]], %{{[0-9]+}}, %{{[0-9]+}})
# CHECK: %[[FIRST:[0-9]+]], %[[LAST:[0-9]+]] = exchange(
# CHECK: for({{.*}}) {independent}
# TOLD-DAG: :[[@LINE+3]]:5: turns are parted
export fn blocks(a: f64[m], u: f64[n], k: int) -> f64[2 * m] {
    var all = zeros(f64, 2 * m)
    for j in 0:m { all[2 * j:2 * j + 2] = steps(a[j], u)[0:2] }
    return all
}

# Columns are no rows: all processes do each turn together.
# CHECK-LABEL: func @columns(
# CHECK-NOT: {independent}
# CHECK: return
export fn columns(a: f64[m], u: f64[n]) -> f64[n, m] {
    var all = zeros(f64, n, m)
    for j in 0:m { all[:, j] = steps(a[j], u) }
    return all
}

# A loop that reads elements in order: all get the array before it
# CHECK-LABEL: func @trend(
# CHECK: allgather(%y, %{{[0-9]+}}, %{{[0-9]+}})
# CHECK-NEXT: for(
# CHECK-NOT: allgather
# CHECK: return
# TOLD-DAG: :[[@LINE+3]]:5: each process gets all of y
export fn trend(y: f64[n]) -> f64 {
    var m = 0.0
    for t in 1:n { m += 0.1 * (y[t] + y[t - 1] - m) }
    return m
}
