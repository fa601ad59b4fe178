struct P { x: f64 }
let p = P(1.0)
let t = (1, 2)
print(f64(p), int(t), str(3), f64("1"), int(fn(x) => x))
