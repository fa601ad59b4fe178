# Columns that fill no block are one block of as many lanes as there are, with the rows of its tile; fewer than half a
# vector are done one by one.
# RUN: dslc --emit=c %s | FileCheck %s
export fn layer(x: f32[32, 40, 112], w: f32[16, 32, 3]) -> f32[16, 40, 110] =
    [sum(w[o, c, q] * x[c, i, j + q] for c in 0:32, q in 0:3) for o in 0:16, i in 0:40, j in 0:110]
# CHECK-LABEL: {{^}}dsl_array *layer(dsl_array *{{[a-z]+}}_arr
# CHECK: lane < 14
# CHECK: lane < 32
# CHECK-LABEL: {{^}}dsl_array *columns(dsl_array *{{[a-z]+}}_arr
# CHECK: lane < 52
# CHECK: lane < 64
# CHECK-LABEL: {{^}}dsl_array *edge(dsl_array *{{[a-z]+}}_arr
# CHECK-NOT: lane < 2;
# CHECK: return
export fn columns(a: f64[n, 500]) -> f64[500] = sum(a, axis=0)
export fn edge(a: f64[n, 66]) -> f64[66] = sum(a, axis=0)
