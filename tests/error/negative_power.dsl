fn f(n: int) -> f64 { return n^-1 }
print(f(2), 2^-1, 2.0^-1)
