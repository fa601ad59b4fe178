# RUN: run interp
# the second argument is not used, but its size must fit
fn f(x: f64[n], _y: f64[n]) -> int = n
fn g(k: int, j: int) -> int = f(zeros(f64, k), zeros(f64, j))
print(g(2, 2))
print(g(2, 3))
