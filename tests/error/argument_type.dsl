fn f(x: f64[n], k: int) -> f64 { return x[k] }
print(f(1.0, 2), f([1.0], 2.5), f([[1.0]], 0), f(k=0, x=[true]))
print(len(3), zeros(3, 4), reshape(1, 2), transpose(2), cumsum(3), solve([1.0], [1.0]), where(1, 2, 3), full([1.0], 3))
