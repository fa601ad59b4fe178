# Reductions of f32 begin with what leaves an f32 as it is, on every backend
let a: f32[4] = [1.0, 2.0, 3.0, 4.0]
print(min(a), max(-a), min(a[k] for k in 0:3), max(-a[k] for k in 1:3), sum(a), prod(a))
print([min(a[i] for k in 0:3) for i in 0:4], map(fn(v) => f32(max(-v for k in 0:5)), a))
let h: f16[3] = [1.0, 2.0, 4.0]
print(min(h), max(-h), prod(h))
print(min(a[0:0]), max(a[0:0]))
