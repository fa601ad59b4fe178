# Remainders and quotients of an index by a small number: as many turns at a time, each of which knows its remainder.
# RUN: dslc --emit=loops %s -o - | FileCheck %s

# CHECK-LABEL: func @second(
# CHECK: parallel(%{{.*}}) {kind = plain} {
# CHECK-NOT: mod(
# CHECK-NOT: idiv(
# CHECK: store(
# CHECK-NOT: mod(
# CHECK-NOT: idiv(
# CHECK: store(
# CHECK: parallel(%{{.*}}) {kind = plain, rest} {
# CHECK: return
export fn second(x: f64[n]) -> f64[n] = [if i % 2 == 0 { x[i // 2] } else { -x[(i + 1) // 2] } for i in 0:n]

# Twelve elements leave no rest; a divisor of another number is known as well.
# CHECK-LABEL: func @twelve(
# CHECK: const {value = 3} : i64
# CHECK: parallel(%{{.*}}) {kind = plain
# CHECK-COUNT-4: store(
# CHECK-NOT: parallel(
# CHECK: return
export fn twelve(x: f64[12]) -> f64[12] = [x[i // 4] + x[i % 2] for i in 0:12]

# Rows: the loop over columns is made for each of two rows.
# CHECK-LABEL: func @rows(
# CHECK: parallel(%{{.*}}) {kind = plain} {
# CHECK: parallel(
# CHECK-NOT: idiv(
# CHECK: store(
# CHECK: parallel(
# CHECK-NOT: idiv(
# CHECK: store(
# CHECK: return
export fn rows(x: f64[n, m]) -> f64[2 * n, m] = [x[i // 2, j] for i in 0:2 * n, j in 0:m]

# What is computed with remainders alone stays.
# CHECK-LABEL: func @numbers(
# CHECK: mod(
# CHECK-NOT: parallel(
# CHECK: return
export fn numbers(n: int) -> f64[n] = [f64(i % 7) for i in 0:n]

# A ring of a size that is known goes around once.
# CHECK-LABEL: func @ring(
# CHECK: parallel(
# CHECK-NOT: mul(
# CHECK: return
export fn ring(x: f64[11]) -> f64[11] = [x[(i + 1) % 11] - x[i] for i in 0:11]

# Remainders of what two indices make, and of what is known only when the program runs, stay.
# CHECK-LABEL: func @neither(
# CHECK: mod(
# CHECK: mod(
# CHECK: return
export fn neither(x: f64[n, m], k: int) -> f64[n, m] = [if (i + j) % 2 == 0 { x[i, j] } else { x[i, (j + k) % m] } for i in 0:n, j in 0:m]
