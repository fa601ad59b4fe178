fn f(double r) -> f64 = r
struct P { d: f64 = 1.0, n: int }
struct Q { d: f64, n: int }
let p = Q{d: 1.0, n: 2}
for i in 0..3 { print(i) }
let x = 3
print(f'{x}')