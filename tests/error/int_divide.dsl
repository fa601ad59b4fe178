var n = 7
n /= 2
n += 0.5
n *= n / 2
n -= 2
n ^= 2
n ^= -1
print(n)
