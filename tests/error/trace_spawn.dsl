# RUN: run interp
# a strand has the calls of the one that spawned it
fn fib(n: int) -> int {
    if n < 2 { return 10 // n }
    var a = 0
    var b = 0
    spawn { a = fib(n - 1) }
    b = 3
    sync
    return a + b
}
fn go(n: int) -> int {
    let k = fib(n)
    return fib(n + 1) + k
}
print(go(-1))
