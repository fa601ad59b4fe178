# RUN: run interp
# nobody uses what is written, and yet the write out of bounds stops the program
kernel k(a: inout f64[n], at: int[m]) { atomic a[at[thread.x]] += 1 }
var a = zeros(f64, 4)
launch k[1, 5](a, arange(0, 5))
