# RUN: run interp
# Of several elements that cannot be, the first one stops the program.
fn f(x: f64[n], idx: int[n]) -> f64[n] = cumsum([x[idx[i]] for i in 0:n])
var idx = [i for i in 0:20000]
idx[5000] = 77777
idx[1000] = 88888
print(f(ones(f64, 20000), idx)[19999])
