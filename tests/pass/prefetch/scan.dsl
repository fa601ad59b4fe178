# One thread scans two chunks side by side, along four rows of memory, and asks for them ahead; at -O1, or told not to, it does not.
# RUN: dslc --emit=c -O2 %s | FileCheck %s
# RUN: dslc --emit=c -O1 %s | FileCheck %s --check-prefix=PLAIN
# RUN: dslc --emit=c --choose=prefetch=no %s | FileCheck %s --check-prefix=PLAIN
# CHECK: if (dsl_threads() == 1) {
# CHECK: __builtin_prefetch(&x[{{.*}} + 256]);
# CHECK-NEXT: __builtin_prefetch(&y[{{.*}} + 256]);
# CHECK-NEXT: __builtin_prefetch(&x[{{.*}} + 256]);
# CHECK-NEXT: __builtin_prefetch(&y[{{.*}} + 256]);
# CHECK: } else {
# PLAIN-NOT: builtin_prefetch
var x = [f64(i % 10) for i in 0:100000]
x[3] = 0.5
let y = cumsum(x)
print(y[99999], y[7])
