# RUN: run interp
var x = [1.0, 2.0, 3.0]
x[x > 1] = [1, 2, 3]
