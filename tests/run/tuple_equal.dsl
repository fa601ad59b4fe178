# Tuples of single values are compared as a whole, also in kernels
fn named(k: int) -> (str, int) { return (f"{k}", k) }
print((1, 2) == (1, 2), (1, 2.5) == (1, 2), (1, (2, 3)) != (1, (2, 3)), (1, (2, 3)) == (1, (2, 4)))
print(shape(zeros(f64, 2, 3)) == (2, 3), shape(zeros(f64, 2, 2, 2)) != (2, 2, 2), shape(zeros(f64, 1, 2, 3, 4)) == (1, 2, 3, 4), named(1) == named(1), named(1) == ("1", 2), (nan, 1) == (nan, 1))
kernel k(y: out int[n], a: int[n]) {
    let i = thread.x
    if i < n { y[i] = if (a[i], i) == (1, 1) { 1 } else { 0 } }
}
var y = zeros(int, 4)
launch k[1, 4](y, [0, 1, 2, 1])
print(y)
