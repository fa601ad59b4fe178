# A launch is parallel blocks of parallel threads in its caller; constants among its arguments and its shape are folded into the
# kernel's body, and the kernel and its caller are optimized as one.
# RUN: dslc --emit=ir %s | FileCheck %s --check-prefix=IR
# RUN: dslc --emit=par %s --verify-each | FileCheck %s --check-prefix=PAR
kernel scale(y: out f64[n], x: f64[n], a: f64, square: bool, k: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var v = a * x[i]
        if square { v = v * v }
        for t in 0:k { v = v + f64(blockdim.x) }
        y[i] = v
    }
}
# IR-LABEL: func @twice
# IR: parallel(%{{.*}}) {kind = block}
# IR: parallel(%{{.*}}) {kind = thread}
# IR: for(
# PAR-LABEL: func @twice
# PAR-DAG: const {value = 64.0}
# PAR-DAG: const {value = 3.0}
# PAR: parallel(
# PAR-NOT: for(
# PAR-NOT: select
# PAR: mul(
# PAR-NOT: mul(
# PAR: add(
# PAR-NOT: if(
# PAR: return
export fn twice(x: f64[n]) -> f64[n] {
    var y = x
    let by = 1.5
    launch scale[ceildiv(n, 64), 64](y, x, by * 2, false, 1)
    return y
}
