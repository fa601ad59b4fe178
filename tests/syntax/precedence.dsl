# Brackets are printed only where they matter
a or b and not c == d
(a or b) and not (c == d)
not (a and b)
a | b xor c & d << 1 + 2
(((a | b) xor c) & d) << 1 + 2
a == (b | c)
-x^2
(-x)^2
2^-1
2^-x^2
2^3^2
(2^3)^2
2^(-x)^2
-x * y
-(x * y)
~-x
- -x
a - b - c
a - (b - c)
a / b * c // d % e @ f
a / (b * c)
(a + b) * (c - d)
(a < b) == (c < d)
not not a
a < -b
a * not b
+x + +y
f(x)[i].y^2
(a + b).T @ c
(-a).T
-a.T
(if a { 1 } else { 2 }) + 3
(fn(x) => x)(3)
x^(if a { 1 } else { 2 })
a and (if b { c } else { d })
