# Columns that fill no block are one block, with the rows of its tile: as many as there are, or, where these do not end
# with a vector, some of those before once more, unless that would change what is read; few are done one by one.
# RUN: dslc --emit=c %s | FileCheck %s
export fn layer(x: f32[32, 40, 112], w: f32[16, 32, 3]) -> f32[16, 40, 110] =
    [sum(w[o, c, q] * x[c, i, j + q] for c in 0:32, q in 0:3) for o in 0:16, i in 0:40, j in 0:110]
# CHECK-LABEL: {{^}}dsl_array *layer(dsl_array *{{[a-z]+}}_arr
# CHECK: lane < 16
# CHECK: lane < 32
# CHECK-LABEL: {{^}}dsl_array *columns(dsl_array *{{[a-z]+}}_arr
# CHECK: lane < 52
# CHECK: lane < 64
# CHECK-LABEL: {{^}}dsl_array *edge(dsl_array *{{[a-z]+}}_arr
# CHECK: lane < 4;
# CHECK-LABEL: {{^}}dsl_array *one(dsl_array *{{[a-z]+}}_arr
# CHECK-NOT: lane < 1;
# CHECK-NOT: lane < 4;
# CHECK: return
export fn columns(a: f64[n, 500]) -> f64[500] = sum(a, axis=0)
export fn edge(a: f64[n, 66]) -> f64[66] = sum(a, axis=0)
export fn one(a: f64[n, 65]) -> f64[65] = sum(a, axis=0)
# CHECK-LABEL: {{^}}dsl_array *onto(dsl_array *{{[a-z]+}}_arr
# CHECK-NOT: lane < 8;
# CHECK: return
export fn onto(a: f64[n, 70], to: f64[70]) -> f64[70] {
    var y = to
    parallel for j in 0:70 {
        var s = y[j]
        for i in 0:n { s += a[i, j] * y[j] }
        y[j] = s
    }
    return y
}
