# RUN: run interp
# Lengths that are known when the program runs
fn picked(x: f64[n, m], rows: int[k], cols: int[l]) -> f64[k] = x[rows, cols]
let found = [i for i in 0:4 if i % 2 == 0]
print(picked(ones(f64, 4, 5), found, [1, 2, 3]))
