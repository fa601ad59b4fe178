let x = [1, 2, 3]
let a = x > 1 and 5
let b = not 3
let c = 1 or 0
print(a, b, c)
