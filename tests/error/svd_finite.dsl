# RUN: run
let a = [[1.0, 2.0], [3.0, 1.0 / 0.0]]
print(svd(a))
