# The hundred NumPy exercises, 1 to 25.  97 are done, two of them clumsily (85, 90); not done are 2 and 5, which ask for pages of
# NumPy itself (dslc --version, and `?sort` in the REPL, show ours), and 33, of dates.
# 1 (the library is there without an import), 3: ten zeros
assert all(zeros(f64, 10) == 0) and len(zeros(f64, 10)) == 10
# 4: the memory of an array
assert size(zeros(f64, 10, 10)) * 8 == 800
# 6
var fifth = zeros(f64, 10)
fifth[4] = 1
assert sum(fifth) == 1 and fifth[4] == 1
# 7, 8
let tens = arange(10, 50)
assert tens[0] == 10 and tens[-1:][0] == 49 and len(tens) == 40
assert all(tens[::-1] == reverse(tens)) and tens[::-1][0] == 49
# 9
assert all(reshape(arange(9), 3, 3) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]])
# 10
print(nonzero([1, 2, 0, 0, 4, 0] != 0))
# 11
assert all(eye(3) == [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
# 12, 13, 14
let cube = rand(1, 3, 3, 3)
let square = rand(2, 10, 10)
assert size(cube) == 27 and min(square) >= 0 and max(square) < 1 and abs(mean(rand(3, 30)) - 0.5) < 0.3
# 15: a border of ones
var border = ones(f64, 10, 10)
border[1:-1, 1:-1] = 0
assert sum(border) == 36 and border[5, 5] == 0
# 16: a border of zeros around an array
let inside = pad(ones(f64, 5, 5), 1)
assert shape(inside) == (7, 7) and sum(inside) == 25 and all(inside[0] == 0)
# 17
assert isnan(0 * nan) and not (nan == nan) and not (inf > nan) and isnan(nan - nan) and 0.3 != 3 * 0.1
# 18
assert all(diag([1, 2, 3, 4], -1)[:, 0:4] == vstack(zeros(int, 1, 4), diag([1, 2, 3, 4])))
# 19: a chess board
var board = zeros(int, 8, 8)
board[1::2, ::2] = 1
board[::2, 1::2] = 1
assert all(board == [(i + j) % 2 for i in 0:8, j in 0:8])
# 20: where the hundredth element stands
print(unravel_index(99, (6, 7, 8)))
# 21
assert all(tile([[0, 1], [1, 0]], 4, 4) == board)
# 22
let z = rand(4, 5, 5)
let normal_z = (z - mean(z)) / std(z)
assert abs(mean(normal_z)) < 1e-14 and abs(std(normal_z) - 1) < 1e-14
# 23: a colour of four bytes
struct Color { r: u8, g: u8, b: u8, a: u8 = 255 }
print([Color(255, u8(k), 0) for k in 0:2])
# 24
assert all(ones(f64, 5, 3) @ ones(f64, 3, 2) == 3)
# 25: what lies between 3 and 8 changes its sign
var eleven = arange(11)
eleven[eleven > 3 and eleven < 8] *= -1
print(eleven)
