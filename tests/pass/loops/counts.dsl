# On a GPU atomic updates of few ints go to copies in shared memory, which blocks begin and add up; blocks are at most
# 1024, each of which does several of the program's.
# RUN: dslc --emit=loops --target=sim %s | FileCheck %s
# RUN: dslc --emit=loops %s | FileCheck %s --check-prefix=HOST
# HOST-NOT: copy
kernel count(h: inout i32[100], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic h[x[i]] += i32(1) }
}
export fn launched(x: int[n]) -> i32[100] {
    var h = zeros(i32, 100)
    launch count[ceildiv(n, 128), 128](h, x)
    return h
}
# The index is checked as it was, where the copy is updated.
# CHECK-LABEL: func @launched
# CHECK: %[[TURNS:[0-9]+]] = size {size = (n + 127)//128}
# CHECK: %[[ALL:[0-9]+]] = min(%[[TURNS]], %{{.*}})
# CHECK: parallel(%[[ALL]]) {kind = block}
# CHECK-NEXT: (%[[FIRST:[0-9]+]]: i64)
# CHECK: %[[COPY:[a-z0-9.]+]] = alloc : buf<i32[100], shared>
# CHECK: parallel(%[[T:[0-9a-z.]+]]) {kind = thread}
# CHECK: for(%{{.*}}, %{{.*}}, %[[T]])
# CHECK: store(%{{.*}}, %[[COPY]], %{{.*}}) {safe}
# CHECK: barrier
# CHECK: for(%[[FIRST]], %[[TURNS]], %[[ALL]])
# CHECK: atomic(%{{.*}}, %[[COPY]], %{{.*}}) {kind = add}
# CHECK: barrier
# CHECK: %[[V:[0-9]+]] = load(%[[COPY]], %{{.*}}) {safe}
# CHECK: if(
# CHECK: atomic(%[[V]], %h{{.*}}, %{{.*}}) {kind = add, safe}
export fn pairs(x: int[n, m], y: int[n, m]) -> (int[4, 4], int[4]) {
    var (h, low) = (zeros(int, 4, 4), zeros(int, 4))
    parallel for i in 0:n, j in 0:m {
        atomic h[x[i, j] % 4, y[i, j] % 4] += 1
        atomic low[x[i, j] % 4] min= y[i, j]
    }
    return (h, low)
}
# CHECK-LABEL: func @pairs
# CHECK-DAG: alloc : buf<i64[4, 4], shared>
# CHECK-DAG: alloc : buf<i64[4], shared>
# CHECK-DAG: const {value = 9223372036854775807} : i64

# What is not: unknown and large arrays, floats, short types, results that are taken, other uses, barriers, few threads
export fn unknown(x: int[n], m: int) -> int[m] {
    var h = zeros(int, m)
    parallel for i in 0:n { atomic h[x[i] % m] += 1 }
    return h
}
# CHECK-LABEL: func @unknown
# CHECK: %[[PART:[a-z0-9.]+]] = alloc : buf<i64[512], shared>
# CHECK: if(
# CHECK: atomic(%{{.*}}, %[[PART]], %{{.*}}) {kind = add
export fn large(x: int[n]) -> int[2049] {
    var h = zeros(int, 2049)
    parallel for i in 0:n { atomic h[x[i] % 2049] += 1 }
    return h
}
# CHECK-LABEL: func @large
# CHECK-NOT: shared
kernel sums(h: inout f64[4], b: inout u8[4], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        atomic h[x[i] % 4] += 0.5
        atomic b[x[i] % 4] |= 1
    }
}
export fn others(x: int[n]) -> (f64[4], u8[4]) {
    var (h, b) = (zeros(f64, 4), zeros(u8, 4))
    launch sums[ceildiv(n, 128), 128](h, b, x)
    return (h, b)
}
# CHECK-LABEL: func @others
# CHECK-NOT: shared
kernel asked(h: inout int[4], places: out int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { places[i] = 0 }
    let old = atomic h[i % 4] += 1
    if i < n and old < n { places[i] = old }
}
kernel read_too(h: inout int[4], places: out int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { places[i] = h[0] }
    atomic h[1 + i % 3] += 1
}
export fn more(h0: int[4], n: int) -> (int[4], int[n]) {
    var (h, places) = (h0, zeros(int, n))
    launch asked[ceildiv(n, 128), 128](h, places)
    launch read_too[ceildiv(n, 128), 128](h, places)
    return (h, places)
}
# CHECK-LABEL: func @more
# CHECK-NOT: shared
kernel few(h: inout int[4]) { atomic h[block.x % 4] += thread.x }
export fn alone(h0: int[4], n: int) -> int[4] {
    var h = h0
    launch few[max(n, 4), 16](h)
    return h
}
# CHECK-LABEL: func @alone
# CHECK-NOT: shared
