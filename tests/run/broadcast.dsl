let m = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
let row = [10.0, 20.0, 30.0]
let col = [[100.0], [200.0]]
print(m + row)
print(m + col)
print(row + col)
print(where(m > 2, m, 0.0))
print(where(true, row, 1.0))
print(min(m, 3.0), max(row, 15.0))
fn scale(x: f64[n, m], s: f64[m]) -> f64[n, m] = x * s + 1
print(scale(m, row))
print(abs(-m), sign([-2.0, 0.0, 3.0]), sqrt([4.0, 9.0]))
print(floor([1.5, -1.5]), ceil([1.5, -1.5]), round([0.5, -0.5, 1.5]), trunc([1.5, -1.5]))
print(not [true, false], [true, true] and [true, false], [false, true] or [false, false])
var filled = m
filled = 7
print(filled)
filled[:] = row
filled[1] = 0
print(filled)
let start: f64[2] = 1.5
print(start)
