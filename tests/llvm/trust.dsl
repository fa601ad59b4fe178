# A kernel does nothing once one before it has failed, where what that one left in memory says how long it runs, or where
# it writes unchecked; others do not ask.
# RUN: dslc --emit=ptx %s | FileCheck %s
# CHECK-LABEL: .entry k{{[0-9]+}}_plain(
# CHECK-NOT: ld.global.u32 {{.*}}dsl_gpu_failed
# CHECK-LABEL: .entry k{{[0-9]+}}_rows(
# CHECK: ld.global.u32 {{.*}}[dsl_gpu_failed]
# CHECK-NOT: bra
# CHECK: ld.global.nc.u64
# CHECK: bra
# CHECK-LABEL: .entry k{{[0-9]+}}_halve(
# CHECK: ld.global.u32 {{.*}}[dsl_gpu_failed]
kernel plain(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] += x[n - 1 - i] }
}
kernel rows(y: out f64[n], x: f64[m], start: int[n + 1]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var s = 0.0
        for k in start[i]:start[i + 1] { s += x[k] }
        y[i] = s
    }
}
kernel halve(y: inout f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var z = y[i]
        while z > 1 { z *= 0.5 }
        y[i] = z
    }
}
arg n: int = 100
var y = zeros(f64, n)
launch plain[1, 100](y, ones(f64, n))
launch rows[1, 100](y, ones(f64, n), [i for i in 0:n + 1])
launch halve[1, 100](y)
print(sum(y))
