# RUN: run interp
# So are stores.
arg bad: int = 7
let at = [0, bad]
fn f(y: f64[m], at: int[n]) -> f64 { var z = zeros(f64, m)
 for i in 0:n { z[at[i]] = y[1] }
 return sum(z) }
print(grad(f, wrt=y)([1.0, 2.0], at))
