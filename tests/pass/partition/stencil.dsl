# Loops are parted by rows of what they write; in front of each stands, for each process, what it needs and what it
# changes.  Two loops that read x ask for its rows together, before the first.
# RUN: dslc --target=mpi --print-after=partition --emit=loops %s -o %t 2>&1 | FileCheck %s
# RUN: dslc check --explain-processes %s 2>&1 | FileCheck --check-prefix=WHY %s
# RUN: dslc interp %s > %t && dslc run %s > %t.2 && cmp %t %t.2
export fn stencils(x: f64[n], u: f64[m, k]) -> (f64[n], f64[n], f64[m, k]) {
    var a = x
    var b = x
    parallel for i in 2:n - 2 { a[i] = x[i - 2] + x[i + 1] }
    parallel for i in 0:n - 3 { b[i + 1] = x[i + 3] }
    var v = u
    parallel for i in 0:m, j in 0:k { v[i, j] = u[(i + 1) % m, j] + u[max(i - 1, 0), (j + 2) % k] }
    return (a, b, v)
}
# CHECK-LABEL: func @stencils
# CHECK: island(
# CHECK: [[N:%.*]] = part({{.*}}) : i64
# CHECK: for({{.*}}, [[N]], {{.*}}) {
# CHECK: ([[P:%.*]]: i64)
# CHECK: [[FROM:%.*]], [[TO:%.*]] = share([[P]])
# CHECK: need([[X:%.*]], [[P]], [[FROM]], {{.*}})
# CHECK: own([[A:%.*]], [[P]],
# CHECK: need([[X]], [[P]],
# CHECK: [[MINE:%.*]], [[END:%.*]] = exchange(
# CHECK: [[COUNT:%.*]] = sub([[END]], [[MINE]])
# CHECK: parallel([[COUNT]]) {kind = plain} {
# CHECK: ([[I:%.*]]: i64)
# CHECK: add([[I]], [[MINE]])
# Rows that go around, and rows that are held at the edge
# CHECK: part(
# CHECK: share(
# CHECK: mod(
# CHECK: need(
# CHECK: own(
# CHECK: exchange(

# A wall is where its row is; what data say may be anywhere, and writes there are for all
export fn wall(u: f64[m, k], at: int[m]) -> f64[m, k] {
    var v = u
    parallel for j in 0:k { v[0, j] = 2 * v[1, j] }
    parallel for i in 0:m { for j in 0:k { atomic v[at[i], j] += u[i, j] } }
    return v
}
# CHECK-LABEL: func @wall
# CHECK: part(
# CHECK: [[F:%.*]], [[T:%.*]] = exchange(
# CHECK: [[HERE:%.*]] = lt([[F]], [[T]])
# CHECK: if([[HERE]]) {
# CHECK: allgather(
# WHY: :[[#]]:5: parted by rows of a
# WHY: parted by rows of b
# WHY: parted by rows of v
# WHY: done by one process, where it writes
# WHY: done by all processes: iterations update elements by atomic
let x = [f64(i * i % 11) for i in 0:40]
let u = [f64(i * j % 7) for i in 0:12, j in 0:9]
let (a, b, v) = stencils(x, u)
print(sum(a), sum(b), sum(v), wall(u, [(5 * i) % 12 for i in 0:12]))
