# RUN: run interp
# long traces are cut in the middle
fn odd(n: int) -> int {
    if n == 0 { return 1 // n }
    return even(n - 1)
}
fn even(n: int) -> int {
    if n == 0 { return 1 // n }
    return odd(n - 1)
}
print(even(500))
