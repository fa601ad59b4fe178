# Rows that go around: the gap before the first tile is one of those behind the tiles, and what is before row 0 is behind
# the last one. Half of the rows away, or around another number, turns run in order.
# RUN: dslc --emit=loops %s -o - | FileCheck %s
# CHECK: (%phase{{[.0-9]*}}: i64)
# CHECK-NEXT: eq(%phase
# CHECK-NEXT: parallel(%tiles) {kind = plain, tiles}
# CHECK: lt(%{{.*}}) : bool
# CHECK-NEXT: add(
# CHECK-NEXT: select(
# CHECK-NOT: (%phase{{[.0-9]*}}: i64)
fn near(u0: f64[n, m], turns: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns { u = [0.5 * u[(i + n - 1) % n, j] + 0.5 * u[(i + 2) % n, j] for i in 0:n, j in 0:m] }
    return u
}
fn far(u0: f64[n, m], turns: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns { u = [0.5 * u[(i + n // 2) % n, j] + 0.5 * u[(i + 1) % (n // 2 + 1), j] for i in 0:n, j in 0:m] }
    return u
}
arg rows: int = 500
let u = [f64((3 * i + j * j) % 11) for i in 0:rows, j in 0:100]
print(sum(near(u, 30)), sum(far(u, 30)))
