# New axes, reductions along several, tables of elements, limits of types
let x = [1.0, 2.0, 3.0]
print(x[:, newaxis] + x, x[newaxis], x[newaxis, :, newaxis])
let a = reshape(arange(24), 2, 3, 4)
print(sum(a, axis=(0, 1)), sum(a, axis=(0, 2), keepdims=true), a[0] - mean(a[0], axis=1, keepdims=true), max(a, axis=(-1, 0)))
print(sum(a, keepdims=true), a[1, :, newaxis, 2], mean(a, axis=(1, 2)), any(a > 20, axis=(0, 1)))
print(cumsum(a[0], axis=0), cumsum(a[0], axis=1), cumsum(a, axis=1)[1], cumsum(x, axis=0))
print(sort([[3, 1, 2], [9, 7, 8]]), sort([[3, 1, 2], [9, 7, 8]], axis=0), argsort([[3, 1, 2], [9, 7, 8]]))
print(unique([3, 1, 2, 3, 1]), unique_counts([2.0, 1.0, 2.0]), tile([1, 2], 2), tile([[1, 2]], 2, 2), repeat([1, 2], 2), repeat([[1, 2], [3, 4]], 2), repeat([[1, 2], [3, 4]], 2, axis=1))
print(pad(x, 1), pad(x, 1, 2, 9.0), pad([[1, 2]], 1), roll([[1, 2], [3, 4]], 0, 1))
print(largest(f64), smallest(f32), epsilon(f64), largest(i8), smallest(i16), largest(u64), epsilon(f16), smallest(int))
print(shape(rand(1, 2, 3, 4)), rand(1, (2, 3, 4))[1, 2, 3] == rand(1, 24)[23])
print(len(unique(rand(1, 100))), whole([k % 3 for k in 0:30]))
let w = [1 + 1im, 2]
print(w[:, newaxis] * w, cumsum([[1im, 2], [3, 4]], axis=0))
print(cumsum([[f16(2048)], [f16(1)]], axis=0), cumsum([[u8(200), u8(100)]], axis=1), cumsum([[true, true], [false, true]], axis=0), cumsum([[[bf16(256), bf16(1)]]], axis=2))
