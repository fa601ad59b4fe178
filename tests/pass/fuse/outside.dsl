# What is read through a part, a reverse, another gather stops where it did: the index and the size are what is written.
# RUN: dslc interp --stage=ir %s 2>&1 | FileCheck %s
# RUN: dslc run %s 2>&1 | FileCheck %s
# RUN: dslc run --jit %s 2>&1 | FileCheck %s
# RUN: dslc run --target=sim %s 2>&1 | FileCheck %s
# RUN: dslc run %s -- --what=2 2>&1 | FileCheck %s --check-prefix=REVERSE
# RUN: dslc run %s -- --what=3 2>&1 | FileCheck %s --check-prefix=GATHER
# RUN: dslc run %s -- --what=4 2>&1 | FileCheck %s --check-prefix=TURNED
# CHECK: index 9 is out of bounds for axis 0 with size 9
# REVERSE: index -1 is out of bounds for axis 0 with size 12
# GATHER: index 3 is out of bounds for axis 0 with size 3
# TURNED: index 4 is out of bounds for axis 0 with size 3
arg what: int = 1
let x = [f64(k * k % 17) / 8 for k in 0:12]
let z = reshape(x, 4, 3)
let far = [3, 0, 8 + what]
if what == 1 { print(x[2:11][far]) }
if what == 2 { print(x[::-1][[0, far[2] - 11]]) }
if what == 3 { print(x[far][[far[0], 1]]) }
if what == 4 { print(z.T[[far[0] + 1]]) }
