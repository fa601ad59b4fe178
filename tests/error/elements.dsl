let n = 3
let xs = [1.0, 2.0]
let a = [[1, 2], [3, 4]]
var v = [1.0, 2.0]
print([i for i in n], sum(i for i in n - 1))
print([q for q in nothing])
for i in range(10) { print(i) }
for i in 10 { print(i) }
for i in 2.5 { print(i) }
for c in "abc" { print(c) }
for p in (1, 2) { print(p) }
for x in zip(xs, xs) { print(x) }
for t in progress(n) { print(t) }
parallel for x in n { v[0] = x }
for x in xs { x = 2 }
for row in a { row[0] = 5 }
print([e for row in a, e in row])
print(sum(if x > 1 { v[0] = x; x } else { v = xs; 0.0 } for x in xs))
print([if i > 1 { v[0] = 1; i } else { i } for i in 0:3])
for x in xs + [1.0, 2.0, 3.0] { print(x) }
