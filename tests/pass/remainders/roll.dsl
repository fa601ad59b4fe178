# x % n of an index below n is the index: roll goes around along the axes that it moves alone.  What only goes around is read where it
# is needed, also twice around: one comprehension, without an array in between.
# RUN: dslc --emit=par %s -o - | FileCheck %s
# CHECK-LABEL: func @moved
# CHECK-NOT: mod
# CHECK: generate : f64[l, m, n]
# CHECK: mod(%{{.*}}, %{{.*}}) {safe} : i64
# CHECK-NEXT: extract(
# CHECK-NOT: mod
# CHECK-LABEL: func @twice
# CHECK: generate : f64[n]
# CHECK-NOT: generate
# CHECK-LABEL: func @kept
# CHECK: mod(
export fn moved(x: f64[l, m, n]) -> f64[l, m, n] = roll(x, 0, 0, 1)
export fn twice(x: f64[n]) -> f64[n] = roll(roll(x, 1), 1) * roll(x, 1)
# Not below n: the index runs further, or n is another size
export fn kept(x: f64[n], y: f64[m]) -> f64[m] = [x[j % n] * y[j] for j in 0:m]
