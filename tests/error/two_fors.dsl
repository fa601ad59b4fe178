print([i + j for i in 0:3 for j in 0:2])
print(sum(i * j for i in 0:3 for j in 0:2))
