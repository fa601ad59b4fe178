# How work that ends when it likes is handed out: single elements that cost much, of all loops of a nest; of rows of cheap
# ones, so many as are worth it.
# RUN: dslc --emit=c %s | FileCheck %s
fn ways(n: int, left: int) -> int = if left == 0 { 1 } else { ways(n, left - 1) + ways(n - 1, left - 1) * n }
fn steps(n: int) -> int {
    var x = n
    var k = 0
    while x > 1 { x = if x % 3 == 0 { x // 3 } else { x - 1 }; k += 1 }
    return k
}
# CHECK: omp parallel for collapse(2) schedule(dynamic, 2)
export fn two() -> int[12, 12] = [ways(i, j) for i in 0:12, j in 0:12]
# CHECK: omp parallel for collapse(3) schedule(dynamic, 2)
export fn three() -> int[3, 5, 7] = [ways(i, j + k) for i in 0:3, j in 0:5, k in 0:7]
# CHECK: omp parallel for schedule(dynamic, 2)
export fn one() -> int[12] = [ways(i, 3) for i in 0:12]
# CHECK: omp parallel for schedule(dynamic)
export fn rows() -> int[480, 640] = [steps(i * 640 + j) for i in 0:480, j in 0:640]
# CHECK: omp parallel for schedule(dynamic, 64)
export fn line() -> int[100000] = [steps(i) for i in 0:100000]
print(sum(two()), sum(three()), sum(one()), sum(rows()), sum(line()))
