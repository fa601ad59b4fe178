for i { print(i) }
for i in 0:n, j in 0:m { print(i, j) }
for k, x in xs { print(k, x) }
for i in { print(i) }
parallel for i, j in 0:n { print(i) }
for (k, x) in xs { print(k) }
