let n = 3
let t = (1, 2)
struct P { x: f64 }
let p = P(1.0)
print(n[0], t[0:1], p[0], sin[0], f64[2], "abc"[1])
