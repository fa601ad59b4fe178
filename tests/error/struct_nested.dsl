# A struct in a struct: its fields are its own
struct A { x: f64, n: int }
struct B { a: A, y: f64 }
let c = B(x=1, n=2, y=3)
let d = B(1, 2, 3)
var e = B(A(1, 2), 3)
e.x = 3
print(e.n, [B(A(f64(i), i), 1) for i in 0:3].a.x, e.a.z)
