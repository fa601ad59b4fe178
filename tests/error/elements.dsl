let n = 3
let xs = [1.0, 2.0]
print([i for i in n], sum(i for i in n))
print([q for q in nothing])
