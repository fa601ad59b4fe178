# Fields of structs that have default values, and diagonals
struct P { x: f64 = 1.5, n: int = 2, on: bool = true }
struct Q {
    at: f64
    scale: f32 = 2
    label: int = -1
}
print(P(), P(2), P(n=5), P(on=false, x=3))
print(Q(1), Q(at=2, label=7), [Q(f64(i)) for i in 0:3])
print(diag([1, 2], 1), diag([1, 2], -1), diag([1.5], 0))
let a = [[1, 2, 3], [4, 5, 6]]
print(diag(a, 0), diag(a, 1), diag(a, 2), diag(a, -1), len(diag(a, 7)), len(diag(a, -3)))
