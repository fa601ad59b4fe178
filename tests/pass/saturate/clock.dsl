# What stands between two times is a graph of its own: the order of products, and what is common, end there.
# RUN: dslc --fp=reassoc --print-after=saturate --emit=par %s -o %t 2>&1 | FileCheck %s
# CHECK-LABEL: func @thin
# CHECK: [[AB:%.*]] = dot(%a, %b) : f64[500, 500]
# CHECK: extern {func = @dsl_x_time}
# CHECK: dot([[AB]], %c) : f64[500, 2]
# CHECK-NOT: dot(
# CHECK: return
export fn thin(a: f64[500, 500], b: f64[500, 500], c: f64[500, 2]) -> f64[500, 2] {
    let p = a @ b
    let t = time()
    let q = p @ c
    print(t)
    return q
}
# CHECK-LABEL: func @again
# CHECK: dot(%a, %b)
# CHECK: extern {func = @dsl_x_time}
# CHECK: dot(%a, %b)
# CHECK: extern {func = @dsl_x_time}
# CHECK: [[BC:%.*]] = dot(%b, %c) : f64[500, 2]
# CHECK: dot(%a, [[BC]]) : f64[500, 2]
# CHECK-NOT: dot(
# CHECK: return
export fn again(a: f64[500, 500], b: f64[500, 500], c: f64[500, 2]) -> (f64[500, 500], f64[500, 500], f64[500, 2]) {
    let p = a @ b
    let t = time()
    let q = a @ b
    let u = time()
    let r = (a @ b) @ c
    print(u - t)
    return (p, q, r)
}
# CHECK-LABEL: func @around
# CHECK: dot(%a, %b)
# CHECK: for(
# CHECK: extern {func = @dsl_x_time}
# CHECK: dot(%p, %c)
export fn around(a: f64[500, 500], b: f64[500, 500], c: f64[500, 2]) -> f64[500, 2] {
    let p = a @ b
    var r = zeros(f64, 500, 2)
    for k in 0:3 {
        let t = time()
        r += p @ c
        print(t)
    }
    return r
}
# CHECK-LABEL: func @without
# CHECK: [[BC:%.*]] = dot(%b, %c) : f64[500, 2]
# CHECK: dot(%a, [[BC]]) : f64[500, 2]
# CHECK-NOT: dot(
# CHECK: return
export fn without(a: f64[500, 500], b: f64[500, 500], c: f64[500, 2]) -> f64[500, 2] {
    let p = a @ b
    let q = p @ c
    return q
}
