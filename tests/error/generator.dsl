let a = [1, 2]
fn f(x: f64) -> f64 { return x }
print(f(x for x in 0:3), len(i for i in 0:3), sqrt(i for i in 0:2), sum(a, 0, i for i in 0:3))
print(max(0, a[i] for i in 0:2), sum(0, a[i] for i in 0:2))
