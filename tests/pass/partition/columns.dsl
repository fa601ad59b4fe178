# RUN: dslc --target=mpi --emit=loops %s | FileCheck %s
# Of a transposed read each process needs the columns of its rows; a long sum along columns is one of chunks of rows
let a = [sin(0.1 * i + 0.3 * j) for i in 0:20000, j in 0:60]
print(a[0, 0])
print(a.T)
print(sum(a, axis=0))
# CHECK: island({{.*}}f64[60, 20000]
# CHECK: %[[FROM:[0-9]+]], %[[TO:[0-9]+]] = share(%[[P:[0-9]+]])
# CHECK: columns(%{{[a-z0-9.]+}}, %[[P]], %{{[0-9a-z]+}}, %{{[0-9a-z]+}}, %[[FROM]], %[[TO]])
# CHECK: own(%{{[0-9]+}}, %[[P]], %[[FROM]], %[[TO]])
# CHECK: %partial = empty : f64[20, 60]
# CHECK: need(%{{[a-z0-9.]+}}
# CHECK: own(%partial
# CHECK: columns(%{{[0-9]+}}
