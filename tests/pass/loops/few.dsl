# Few elements are a plain loop: beside the tree where only the run tells how many, alone where it is known; over a whole
# array, and where an element costs much, all go into one lane.
# RUN: dslc --emit=loops %s | FileCheck %s --check-prefix=LOOPS
# RUN: dslc --emit=c %s | FileCheck %s --check-prefix=C
# LOOPS-LABEL: func @rows
# LOOPS: if({{.*}}) {few} : f64
# LOOPS-NEXT: for({{.*}}) {few} : f64
# LOOPS: alloc {stack} : buf<f64[8], private>
# LOOPS-LABEL: func @known
# LOOPS-NOT: private>
# LOOPS-LABEL: func @whole
# LOOPS: %[[FEW:.*]] = le({{.*}}) : bool
# LOOPS: select(%[[FEW]]
# LOOPS: alloc {stack} : buf<f64[8], private>
# LOOPS-NOT: for({{.*}}) : f64
# LOOPS: store
# C: if (DSL_LIKELY(
# C-NEXT: double
# C-NEXT: #pragma GCC unroll 1
# C-NEXT: for (
export fn rows(n: int, start: i32[n + 1], column: i32[m], value: f64[m], x: f64[k]) -> f64[n] =
    [sum(value[e] * x[column[e]] for e in start[i]:start[i + 1]) for i in 0:n]
export fn known(a: f64[n, 12]) -> f64[n] = [max(abs(a[i, j]) for j in 0:12) for i in 0:n]
export fn whole(x: f64[n]) -> f64 = sum(x)
