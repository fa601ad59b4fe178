# What reductions begin with, of every type: extremes on one side of 0, products, all and any, of several elements and of none
let n = len([1, 2, 3])
let none = n - 3
print(max([f32(-i - 1) for i in 0:n]), min([f32(i + 1) for i in 0:n]), max(f32(i) for i in 0:none), min(f32(i) for i in 0:none))
print(max([f16(-i - 1) for i in 0:n]), min([bf16(i + 1) for i in 0:n]), max(f16(i) for i in 0:none), min(bf16(i) for i in 0:none))
print(max([f64(-i - 1) for i in 0:n]), min([f64(i + 1) for i in 0:n]), max(f64(i) for i in 0:none), min(f64(i) for i in 0:none))
print(prod([f32(i + 2) for i in 0:n]), prod(f32(i) for i in 0:none), prod([i8(i + 2) for i in 0:n]), sum(f32(i) for i in 0:none))
print(max([i8(-i - 1) for i in 0:n]), min([i8(i + 1) for i in 0:n]), max([i32(-i - 1) for i in 0:n]), min([u8(i + 1) for i in 0:n]))
print(all([i < n for i in 0:n]), any([i > n for i in 0:n]), all(i > n for i in 0:none), any(i < n for i in 0:none))
