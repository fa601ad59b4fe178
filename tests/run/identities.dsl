# What reductions begin with, of every type: extremes on one side of 0, products, all and any, of several elements and of none
let n = len([1, 2, 3])
let none = n - 3
print(max([f32(-i - 1) for i in 0:n]), min([f32(i + 1) for i in 0:n]), max(f32(i) for i in 0:none), min(f32(i) for i in 0:none))
print(max([f16(-i - 1) for i in 0:n]), min([bf16(i + 1) for i in 0:n]), max(f16(i) for i in 0:none), min(bf16(i) for i in 0:none))
print(max([f64(-i - 1) for i in 0:n]), min([f64(i + 1) for i in 0:n]), max(f64(i) for i in 0:none), min(f64(i) for i in 0:none))
print(prod([f32(i + 2) for i in 0:n]), prod(f32(i) for i in 0:none), prod([i8(i + 2) for i in 0:n]), sum(f32(i) for i in 0:none))
print(max([i8(-i - 1) for i in 0:n]), min([i8(i + 1) for i in 0:n]), max([i32(-i - 1) for i in 0:n]), min([u8(i + 1) for i in 0:n]))
print(all([i < n for i in 0:n]), any([i > n for i in 0:n]), all(i > n for i in 0:none), any(i < n for i in 0:none))
# The same of arrays, their parts, rows of reductions
let a: f32[4] = [1.0, 2.0, 3.0, 4.0]
print(min(a), max(-a), min(a[k] for k in 0:3), max(-a[k] for k in 1:3), sum(a), prod(a))
print([min(a[i] for k in 0:3) for i in 0:4], map(fn(v) => f32(max(-v for k in 0:5)), a))
let h: f16[3] = [1.0, 2.0, 4.0]
print(min(h), max(-h), prod(h))
print(min(a[0:0]), max(a[0:0]))
