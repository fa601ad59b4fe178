let a = 0 < x < 1
let b = x == y == z
