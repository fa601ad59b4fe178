# RUN: run interp
# The axis and the index of the pair that is outside
var counts = zeros(int, 3, 4)
let rows = [0, 2, 1]
let cols = [3, 1, sum(rows) + 1]
counts[rows, cols] += 1
print(counts)
