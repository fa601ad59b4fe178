# RUN: dslc --emit=loops %s -o - | FileCheck %s
# What is read around the end of an axis is gathered from the other side: no table of indices, nothing atomic, threads and
# vectors; so too where not all turns are taken.
# CHECK-NOT: atomic
# CHECK-NOT: i64[
# CHECK: func @by_most
fn drift(x: f64[l, m, n]) -> f64 = sum((roll(x, 0, 0, 1) - x)^3 * roll(x, 1, -1, 0))
fn most(x: f64[n]) -> f64 = sum([x[((i + 1) % n - 3) % n]^2 for i in 0:n - 3])
export fn by_drift(x: f64[l, m, n]) -> f64[l, m, n] = grad(drift)(x)
export fn by_most(x: f64[n]) -> f64[n] = grad(most)(x)
