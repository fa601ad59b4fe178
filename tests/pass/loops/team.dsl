# For a GPU a reduction along rows is for teams, sums of columns and of few elements are not; whole arrays are reduced
# by islands of their own, of which the host's reads the results of groups.  What follows a row's sum is of its team.
# RUN: dslc --emit=loops --target=sim %s | FileCheck %s
# RUN: dslc --emit=loops %s | FileCheck %s --check-prefix=HOST
# HOST-NOT: team
export fn rows(a: f64[n, m]) -> f64[n] { return sum(a, axis=1) }
# CHECK-LABEL: func @rows
# CHECK: parallel({{.*}}) {kind = plain, team}
# CHECK: reduce({{.*}}) {kind = custom, team}
export fn columns(a: f64[n, m]) -> f64[m] { return sum(a, axis=0) }
# CHECK-LABEL: func @columns
# CHECK-NOT: team
export fn products(a: f64[n, m], b: f64[m, k]) -> f64[n, k] { return [sum(a[i, :] * b[:, j]) for i in 0:n, j in 0:k] }
# CHECK-LABEL: func @products
# CHECK-NOT: team
export fn four(a: f64[n, 4]) -> f64[n] { return sum(a, axis=1) }
# CHECK-LABEL: func @four
# CHECK-NOT: team
export fn sparse(v: f64[n], c: int[n], p: int[m], x: f64[k]) -> f64[m - 1] {
    return [sum([v[j] * x[c[j]] for j in p[i]:p[i + 1]]) for i in 0:m - 1]
}
# CHECK-LABEL: func @sparse
# CHECK: team
export fn shares(a: f64[n, m]) -> f64[n, m] {
    let total = sum(a, axis=1)
    return [a[i, j] / total[i] for i in 0:n, j in 0:m]
}
# CHECK-LABEL: func @shares
# CHECK: parallel(%{{[^,]*}}) {kind = plain, team}
# CHECK: reduce
# CHECK: parallel(%{{[^,]*}}) {kind = plain}
# CHECK: store
# CHECK-NOT: island
export fn whole(a: f64[n]) -> f64 { return max(a) }
# CHECK-LABEL: func @whole
# CHECK: island
# CHECK: {kind = plain, team}
# CHECK: island
# CHECK: parallel({{.*}}) {kind = plain}
# CHECK: island
# CHECK-NOT: parallel
# CHECK: extract
export fn running(a: f64[n]) -> f64[n] { return cumsum(a) }
# CHECK-LABEL: func @running
# CHECK: parallel({{.*}}) {kind = plain}
# CHECK: parallel({{.*}}) {kind = block}
# CHECK: alloc : buf<f64[4352], shared>
# CHECK: parallel({{.*}}) {kind = thread}
# CHECK-COUNT-3: barrier
# CHECK: signal
# CHECK: await
# CHECK: barrier
# CHECK: signal
# CHECK: await
# CHECK: await
# CHECK: barrier
# CHECK: signal
# CHECK-COUNT-2: barrier
# CHECK-NOT: parallel
