if x = 3 { print(x) }
while a.b = c { a.b = 1 }
f(x) = 3
1 = x
(a, f(b)) = (1, 2)
x + 1 += 2
print(x == 1, (x = 2))
a, b = b, a
