let a: str[3] = ["a", "b", "c"]
struct Row { v: f64[n] }
let r = Row([1.0])
let b = [r, r]
let c = ["a", "b"]
fn f(x: T, y: T[n]) -> int { return 1 }
print(f([1.0], [2.0]), b, c, a)
let d: Row[2] = b
print([r for i in 0:3])
