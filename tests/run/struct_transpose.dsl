# Fields of several types are transposed each in its own
struct P { a: i8, b: f64 }
let q = [P(i8(i), f64(j)) for i in 0:2, j in 0:3]
let r = q.T
print(len(r), r[2, 1].a, r[2, 1].b)
