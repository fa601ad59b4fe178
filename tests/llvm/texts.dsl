# Texts are addresses of the processor's memory: no kernel makes or moves them.
# RUN: dslc --emit=ptx %s | FileCheck %s
# CHECK-NOT: .entry
let a = ["x", "y", "z"]
let b = [a[2 - i] for i in 0:3]
var c = full("w", 3)
c[1] = "v"
print(a, b, c)
