# Products of several matrices are taken in the order that costs least, whatever the parentheses say, through transposes and beside
# other things; sizes that are not known count as one large number.  What is cheap is a choice, and flips the order.
# RUN: dslc --fp=reassoc --print-after=saturate --emit=par %s -o %t 2>&1 | FileCheck %s
# RUN: dslc --fp=reassoc --choose=weigh=memory --print-after=saturate --emit=par %s -o %t 2>&1 | FileCheck --check-prefix=MEMORY %s
# CHECK-LABEL: func @four
# CHECK-DAG: [[AB:%.*]] = dot(%a, %b) : f64[10, 10]
# CHECK-DAG: [[CD:%.*]] = dot(%c, %d) : f64[10, 20]
# CHECK: dot([[AB]], [[CD]]) : f64[10, 20]
# CHECK-NOT: dot(
# CHECK: return
export fn four(a: f64[10, 1000], b: f64[1000, 10], c: f64[10, 1000], d: f64[1000, 20]) -> f64[10, 20] = a @ (b @ c) @ d
# CHECK-LABEL: func @narrow
# CHECK: [[BC:%.*]] = dot(%b, %c) : f64[10, 30]
# CHECK: dot(%a, [[BC]])
export fn narrow(a: f64[1000, 10], b: f64[10, 1000], c: f64[1000, 30]) -> f64[1000, 30] = a @ b @ c
# CHECK-LABEL: func @turned
# CHECK: [[AB:%.*]] = dot(%a, %b) : f64[n, 3]
# CHECK: dot([[AB]], %c) {trans = [1, 0]} : f64[3, n]
# CHECK-NOT: transpose(
# CHECK: return
export fn turned(a: f64[n, n], b: f64[n, 3], c: f64[n, n]) -> f64[3, n] = (c.T @ (a @ b)).T
# CHECK-LABEL: func @weighed
# CHECK: [[AB:%.*]] = dot(%a, %b) : f64[100, 1]
# CHECK: dot([[AB]], %c)
# MEMORY-LABEL: func @weighed
# MEMORY: [[BC:%.*]] = dot(%b, %c) : f64[9, 9]
# MEMORY: dot(%a, [[BC]])
export fn weighed(a: f64[100, 9], b: f64[9, 1], c: f64[1, 9]) -> f64[100, 9] = a @ b @ c
