let v = [i + j for i in 0:10, j in 0:3 if i % 2 == j]
let w = [x[i] for i if x[i] > 1]
