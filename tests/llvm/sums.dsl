# On a GPU sums of floats by atomic in a parallel for keep their order: what data say is written down, sorted by
# element, and added by a thread for each element; neighbours are gathered; nothing is left to the processor, nor are
# there atomic instructions.
# RUN: dslc --emit=loops --target=cuda %s | FileCheck %s
# RUN: dslc --emit=ptx %s | FileCheck --check-prefix=PTX %s
# RUN: dslc --emit=loops --target=cuda --choose=scatter=no %s | FileCheck --check-prefix=NO %s
# CHECK: @bins
# CHECK: name = "write_sums"
# CHECK-NOT: atomic
# CHECK: for(
# CHECK: name = "count_digits"
# CHECK: kind = plain
# CHECK: alloc : buf<i64[4352], shared>
# CHECK: name = "move_sums"
# CHECK: kind = plain
# CHECK: name = "add_sorted"
# CHECK: while(
# CHECK: @two
# CHECK: name = "move_sums"
# CHECK: name = "add_sorted"
# CHECK: name = "move_sums"
# CHECK: while(
# CHECK: @neighbours
# CHECK-NOT: name =
# CHECK-NOT: atomic
# CHECK: kind = plain
# CHECK: @read
# CHECK-NOT: add_sorted
# CHECK: atomic
# CHECK: @one
# CHECK-NOT: add_sorted
# CHECK: atomic
# CHECK: @ints
# CHECK: name = "count"
# PTX: _write_sums(
# PTX-NOT: {{(atom|red).*[.]f}}
# PTX: _add_sorted(
# PTX-NOT: {{(atom|red).*[.]f}}
# NO-NOT: add_sorted
export fn bins(x: f64[n], at: int[n], m: int) -> f64[m] {
    var h = zeros(f64, m)
    parallel for i in 0:n { atomic h[at[i]] += x[i] }
    return h
}
export fn two(x: f32[n], at: int[n], m: int) -> f32[m] {
    var h = zeros(f32, m)
    var q = zeros(f32, m)
    parallel for i in 0:n {
        if x[i] > 0 { atomic h[at[i]] += x[i] }
        atomic q[m - 1 - at[i]] += x[i]
    }
    return h - q
}
export fn neighbours(x: f64[n]) -> f64[n] {
    var h = x
    parallel for i in 1:n-1 {
        atomic h[i-1] += 0.25 * x[i]
        atomic h[i+1] += 0.5 * x[i]
    }
    return h
}
export fn read(x: f64[n], at: int[n], m: int) -> f64[m] {
    var h = zeros(f64, m)
    parallel for i in 0:n { let old = atomic h[at[i]] += x[i]
        assert old < 1000 }
    return h
}
export fn one(x: f64[n]) -> f64[1] {
    var h = zeros(f64, 1)
    parallel for i in 0:n { atomic h[0] += x[i] }
    return h
}
export fn ints(at: int[n]) -> int[64] {
    var h = zeros(int, 64)
    parallel for i in 0:n { atomic h[at[i]] += 1 }
    return h
}
