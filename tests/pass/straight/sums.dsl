# In the body of a sum short sums and loops are written out, and branches that leave out a little are choices; what may
# not be read otherwise, and what costs much, stays behind its branch
# RUN: dslc --emit=par %s | FileCheck %s
export fn pairs(x: f64[n, 3]) -> f64 = sum(if i != j { 1 / sum((x[i] - x[j])^2) } else { 0.0 } for i in 0:n, j in 0:n)
# CHECK: export func @pairs(
# CHECK-COUNT-1: reduce(
# CHECK-NOT: {{reduce|if[(]}}
# CHECK: select(
# CHECK: return(
export fn before(x: f64[n]) -> f64 = sum(if i > 0 { x[i - 1] * x[i] } else { 0.0 } for i in 0:n)
# CHECK: export func @before(
# CHECK: if(
# CHECK: return(
export fn dear(x: f64[n]) -> f64 = sum(if x[i] > 0 { sin(exp(x[i])) } else { 0.0 } for i in 0:n)
# CHECK: export func @dear(
# CHECK: if(
# CHECK: return(
export fn long(x: f64[n, 9]) -> f64 = sum(1 / sum((x[i] - x[j])^2) for i in 0:n, j in 0:n)
# CHECK: export func @long(
# CHECK-COUNT-2: reduce(
# CHECK: return(
