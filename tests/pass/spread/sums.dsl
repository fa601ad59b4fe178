# Elements of short reductions that cost much are computed by all threads; those that cost little, or are many, are not.
# RUN: dslc --emit=c %s | FileCheck %s
fn ways(n: int, left: int) -> int = if left == 0 { 1 } else { ways(n, left - 1) + ways(n - 1, left - 1) * n }
fn steps(n: int) -> int {
    var x = n
    var k = 0
    while x > 1 { x = if x % 2 == 0 { x // 2 } else { 3*x + 1 }; k += 1 }
    return k
}
fn walk(seed: int) -> f64 {
    var x = f64(seed)
    for t in 0:5000 { x = 3.7 * x * (1 - x / 100) }
    return x
}
fn short(seed: int) -> int {
    var x = seed
    for t in 0:20 { x = x xor x << 3 }
    return x
}
# CHECK: {{^}}int64_t recursive(void){{$}}
# CHECK: omp parallel for collapse(2) schedule(dynamic
# CHECK-NOT: omp parallel
# CHECK: {{^}}int64_t while_(void){{$}}
# CHECK: omp parallel for schedule(dynamic
# CHECK-NOT: omp parallel
# CHECK: {{^}}double for_(void){{$}}
# CHECK: omp parallel for schedule(static)
# CHECK-NOT: omp parallel
# CHECK: {{^}}double inner(dsl_array *x_arr){{$}}
# CHECK: omp parallel for schedule(static)
# CHECK-NOT: omp parallel
# CHECK: {{^}}double many(void){{$}}
# CHECK: omp parallel for schedule(static)
# CHECK: * 1024;
# CHECK-NOT: omp parallel
# CHECK: {{^}}int64_t little(void){{$}}
# CHECK-NOT: omp parallel
# CHECK: {{^}}int main(
export fn recursive() -> int = sum(ways(i, j) for i in 0:12, j in 0:12)
export fn while_() -> int = max(steps(i) for i in 1:3000)
export fn for_() -> f64 = sum(walk(i) for i in 0:1000)
export fn inner(x: f64[100, 900]) -> f64 = sum(sum(exp(x[i, k] * x[j, k]) for k in 0:900) for i in 0:5, j in 0:20)
export fn many() -> f64 = sum(walk(i) for i in 0:100000)
export fn little() -> int = sum(short(i) for i in 0:1000)
