let a = [x * y for x in xs, y in b.y, i in 0:3]
let s = sum(x for x in xs)
