# RUN: run interp
let x = [1.0, 2.0]
plot(x, x, "x.png")
