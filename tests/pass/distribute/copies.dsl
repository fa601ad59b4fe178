# Loops that are parted for threads alone: the one that adds ints to few elements has a copy of them for each thread, though it
# stands in a branch.
# RUN: dslc --emit=c -O3 %s | FileCheck %s
kernel accumulate(sums: inout f64[5, nf], sizes: inout int[5], points: f32[n, nf], membership: i32[n]) {
    let point = block.x * blockdim.x + thread.x
    if point < n {
        let c = membership[point]
        atomic sizes[c] += 1
        for j in 0:nf { atomic sums[c, j] += f64(points[point, j]) }
    }
}
# CHECK-LABEL: centres_of(dsl_array *points_arr, dsl_array *membership_arr)
# CHECK: threads > 1
# CHECK: #pragma omp parallel for schedule(static) reduction(+: sizes[0:5])
# CHECK-NEXT: for (
# CHECK: sizes[{{.*}}] += 1
export fn centres_of(points: f32[n, nf], membership: i32[n]) -> (f64[5, nf], int[5]) {
    var sums = zeros(f64, 5, nf)
    var sizes = zeros(int, 5)
    launch accumulate[ceildiv(n, 256), 256](sums, sizes, points, membership)
    return (sums, sizes)
}
