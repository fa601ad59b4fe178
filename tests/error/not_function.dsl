let x = [1.0, 2.0]
let n = 3
print(x(0), n(2), 2(3))
let sum = 4
print(sum(x))
