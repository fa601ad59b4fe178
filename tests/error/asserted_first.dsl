# RUN: run interp
# What a loop asserts is told before an index that is outside, which the compiler could have checked before the loop.
fn f(x0: int[n], a: int, k: int) -> int {
    var x = x0
    for i in 0:4 {
        assert a > 0
        x[k] = i
    }
    return sum(x)
}
print(f([1, 2, 3], 1, 2))
print(f([1, 2, 3], 0, 5))
