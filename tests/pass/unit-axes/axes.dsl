# A kernel that asks for block.y, launched along x alone: its loop over blocks has one axis again, and what it overwrites is not made first.
# RUN: dslc --emit=par %s | FileCheck %s
# RUN: dslc --emit=c %s | FileCheck %s --check-prefix=C
# RUN: dslc run %s | FileCheck %s --check-prefix=OUT
# CHECK: parallel(%{{[0-9]+}}) {kind = plain
# C: i++
# C-NOT: = 0.0;
# OUT: 4095.0
kernel fill(y: out f64[n], x: f64[n]) {
    let i = blockdim.x * (griddim.x * block.y + block.x) + thread.x
    if i < n { y[i] = x[i] * 3.0 }
}
let x = [f64(i) for i in 0:1366]
var y = zeros(f64, 1366)
launch fill[ceildiv(1366, 64), 64](y, x)
print(y[1365])
