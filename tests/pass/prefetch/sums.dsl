# A loop that carries two sums along four arrays asks for what it will touch; at -O1, or told not to, it does not.
# RUN: dslc --emit=c -O2 %s | FileCheck %s
# RUN: dslc --emit=c -O1 %s | FileCheck %s --check-prefix=PLAIN
# RUN: dslc --emit=c --choose=prefetch=no %s | FileCheck %s --check-prefix=PLAIN
# CHECK-DAG: __builtin_prefetch(&x[{{.*}} + 256]);
# CHECK-DAG: __builtin_prefetch(&y[{{.*}} + 256]);
# CHECK-DAG: __builtin_prefetch(&v[{{.*}} + 256]);
# CHECK-DAG: __builtin_prefetch(&w[{{.*}} + 256]);
# PLAIN-NOT: builtin_prefetch
const n = 100000
var x = [f64(i % 10) for i in 0:n]
var y = [f64(i % 7) for i in 0:n]
x[3] = 0.5
y[3] = 0.5
var v = zeros(f64, n)
var w = zeros(f64, n)
var s = 0.0
var t = 1.0
for i in 0:n {
    s = 0.5 * s + x[i]
    t = 0.5 * t + y[i]
    v[i] = s
    w[i] = t
}
print(v[99999], w[7])
