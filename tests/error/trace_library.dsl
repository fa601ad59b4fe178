# RUN: run interp
# what fails inside the library is shown at the call of it; a lambda that the library calls, in the lambda
fn shifted(x: f64[n], k: int) -> f64[n] = map(fn(i) => x[i + k], arange(n))
fn cycled(x: f64[n], k: int) -> f64[n] = roll(x, k, 3)
fn roll(x: f64[n], k: int, by: int) -> f64[n] = [x[(i + k) % by] for i in 0:n]
fn spread(k: int) -> int[k] = randint(1, 0, 10, k) // (k - 3)
print(sum(histogram([1.0], 0.0, 1.0, 2)))
print(shifted([1.0, 2.0, 3.0], 0), cycled([1.0, 2.0, 3.0], 2))
print(spread(2))
print(shifted([1.0, 2.0, 3.0], 2))
