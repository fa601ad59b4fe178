# Sizes of what a function gives that are constants in it are so where it is called.
# RUN: dslc %s --passes=known-args --emit=par --verify-each -o - | FileCheck %s
# CHECK-LABEL: func @model(
# CHECK-SAME:  -> (f64[4, 4], f64[2, 4])
# CHECK-LABEL: func @unknown(
# CHECK-SAME:  -> (f64[k])
# CHECK-LABEL: func @two(
# CHECK:       call(%{{.*}}) {func = @model} : f64[4, 4], f64[2, 4]
# CHECK-LABEL: func @one(
# CHECK:       call(%{{.*}}) {func = @model} : f64[4, 4], f64[2, 4]
struct Model { f: f64[d, d], h: f64[e, d] }
fn model(q: f64) -> Model = Model(q * eye(4), [[q, 0.0, 0.0, 1.0], [0.0, q, 1.0, 0.0]])
fn unknown(q: f64) -> f64[k] = [q for i in 0:int(q)]
export fn two(q: f64) -> f64 {
    let m = model(q)
    let n = model(2 * q)
    return sum(m.f @ n.f) + sum(m.h) + sum(unknown(q))
}
export fn one(q: f64) -> f64[4] {
    let m = model(q)
    return (m.h @ m.f)[0] + sum(unknown(q))
}
