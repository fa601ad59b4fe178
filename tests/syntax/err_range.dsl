for i in range(10) { print(i) }
for i in 10 { print(i) }
for x in xs { print(x) }
for i { print(i) }
for i in 0:n, j in 0:m { print(i, j) }
let a = [i for i in 5]
