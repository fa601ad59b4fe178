fn square(x: f64) = x * x
fn twice(f: fn(T) -> T, x: T) -> T = f(f(x))
fn pick(x: T[n], i: int) -> T = x[i]
fn pick(x: T[n, m], i: int) -> T[m] = x[i]
fn divide(a: int, b: int) -> (int, int) { return (a // b, a % b) }
fn fib(n: int) -> int {
    if n < 2 { return n }
    return fib(n - 1) + fib(n - 2)
}
fn greet(name: str) {
    print("hello", name)
}
fn apply(f: fn(f64) -> f64, x: f64[n]) -> f64[n] = [f(x[i]) for i in 0:n]
print(square(3), twice(square, 3.0), twice(fn(v) => v + 1, 5))
print(pick([1, 2, 3], 1), pick([[1.5, 2.5], [3.5, 4.5]], 1))
let (q, r) = divide(17, 5)
print(q, r, divide(-17, 5))
print(fib(15))
greet("there")
let k = 2.5
print(apply(fn(x) => k * x, [1.0, 2.0]), map(sqrt, [1.0, 4.0, 9.0]))
fn even(n: int) -> bool { if n == 0 { return true }; return odd(n - 1) }
fn odd(n: int) -> bool { if n == 0 { return false }; return even(n - 1) }
print(even(10), odd(10))
