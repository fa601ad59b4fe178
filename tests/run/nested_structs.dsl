# Structs in structs: made, assigned, in arrays and comprehensions
struct A { x: f64, n: int }
struct B { a: A, y: f64 }
var b = B(A(1, 2), 3)
b.a.x = 4
b.a = A(b.a.x + 1, 7)
print(b, b.a.n)
var bs = [B(A(f64(i), i), 1) for i in 0:3]
bs[0].a.x = 3
bs[1].a = A(2, 5)
fn energy(b: B[n]) -> f64 = sum(b[i].a.x * b[i].y for i in 0:n)
print(bs, bs[1].a.n, energy(bs), [b.a for b in bs], [B(a=b.a, y=2 * b.y) for b in bs])
