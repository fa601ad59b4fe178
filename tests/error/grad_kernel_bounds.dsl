# RUN: run interp
# A kernel's accesses are checked by its derivative.
arg bad: int = 7
let at = [0, bad]
kernel k1(o: out f64[n], y: f64[m], at: int[n]) { let i = block.x * blockdim.x + thread.x
 if i < n { o[i] = 2 * y[at[i]] } }
fn f(y: f64[m], at: int[n]) -> f64 { var o = zeros(f64, n)
 launch k1[1, 32](o, y, at)
 return sum(o) }
print(grad(f, wrt=y)([1.0, 2.0], at))
