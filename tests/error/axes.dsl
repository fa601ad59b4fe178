let x = [[1.0, 2.0], [3.0, 4.0]]
print(sum(x, axis=(0, 0)))
print(sum(x, axis=(0, 2)))
print(sum(x, axis=0, keepdims=1))
print(x[:, newaxis, 0, 0, 0])
print(cumsum(x), cumsum(x, axis=2))
print(epsilon(int), largest(2.0), smallest(str))
print(3[newaxis])
print(roll(x, 1, axis=0))
