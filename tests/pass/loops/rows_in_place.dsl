# A row that is changed by other rows of its matrix is changed in place, whatever the rows: element by element it reads what it
# writes, or what stays.  Its derivative, too, is one loop along the row, without arrays in between.
# RUN: dslc --emit=loops %s -o - | FileCheck %s
# CHECK-LABEL: func @swept
# CHECK: for(
# CHECK-NOT: empty
# CHECK: island({{.*}}modes = [2
# CHECK-NOT: island(
# CHECK: yield
# CHECK-LABEL: func @slope
# CHECK: = for({{.*}}f64[turns.{{[a-z0-9]+}}, m] {
# CHECK-NOT: empty
# CHECK: island({{.*}}modes = [2, 2, 2]
# CHECK-NOT: island(
# CHECK: yield({{.*}}, {{.*}}, {{.*}})
# CHECK: = for({{.*}} : f64[n, m] {
# CHECK-NOT: empty
# CHECK: island({{.*}}modes = [2, 0
# CHECK-NOT: island(
# CHECK-NOT: empty
# CHECK: yield(%
export fn swept(b: f64[n, m], parent: int[n]) -> f64[n, m] {
    var v = b
    for i in 1:n { v[i] += 0.5 * v[parent[i]] * v[i] }
    return v
}
fn loss(b: f64[n, m], parent: int[n]) -> f64 = sum(swept(b, parent)^2)
export fn slope(b: f64[n, m], parent: int[n]) -> f64[n, m] = grad(loss, wrt=b)(b, parent)
