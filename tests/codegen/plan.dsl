# What is decided before code is written: threads and from which size on, vectors, private copies, where arrays lie, how
# updates are made; for a GPU what is launched.
# RUN: dslc --emit=plan %s | FileCheck %s
# RUN: dslc --emit=plan --thread-cost=20000 %s | FileCheck --check-prefix=LOW %s
# RUN: dslc --emit=plan --target=cuda %s | FileCheck --check-prefix=GPU %s
# CHECK: parallel(%{{[0-9]+}}) {kind = plain} {  # threads if %{{[0-9]+}} > 200000, simd
# CHECK: parallel(%{{[0-9]+}}) {kind = plain} {  # threads if %{{[0-9]+}} > 2000, a copy of %[[H:h[.0-9]*]] for each thread
# CHECK: atomic({{.*}}, %[[H]], {{.*}} # nobody else is there
# CHECK: alloc {stack} : buf<f64[8], private>  # on the stack, zeroed
# LOW: # threads if %{{[0-9]+}} > 20000, simd
# GPU: parallel({{.*}}) {kind = block} {  # a launch on the GPU
kernel twice(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = x[i] * 2.0 }
}
arg n: int = 1000
var y = zeros(f64, n)
launch twice[ceildiv(n, 256), 256](y, ones(f64, n))
var h = zeros(int, 8)
parallel for i in 0:n { atomic h[i % 8] += 1 }
print(sum(y), h)
