fn fib(n: int) -> int {
    if n < 2 { return n }
    var a = 0
    var b = 0
    spawn { a = fib(n - 1) }
    b = fib(n - 2)
    sync
    return a + b
}
print(fib(12))
fn sums(x: f64[n]) -> (f64, f64, f64) {
    var a = 0.0
    var b = zeros(f64, n)
    spawn { a = sum(x) }
    spawn { b = x * 2 }
    let c = max(x)
    sync
    return (a, sum(b), c)
}
print(sums([1.0, 2.0, 3.0]))
