x[i]
x[i, j]
x[1:n - 1]
x[:]
x[::]
x[::-1]
x[a:]
x[:b]
x[:b:2]
x[a::2]
x[1:-1, :, ::2, k]
x[if a { 1 } else { 2 }:3]
x[idx][0]
x[i] = 3
x[1:3] += y
x[i].a.b -= 1
