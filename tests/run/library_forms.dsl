print(mean(ones(u8, 300)), mean([u32(1), 2]), mean([[u64(1), 2], [3, 4]], axis=0))
let n = 5
let u = [1.0, 2.0, 4.0, 8.0, 16.0]
print(clamp(7, 0, n - 1), clamp(2.5, 0, 1), clamp(i32(-3), -1, 1), clamp(-1, 0.0, 1.0))
print([u[clamp(i - 1, 0, n - 1)] + u[clamp(i + 1, 0, n - 1)] for i in 0:n])
let m = [[1.0, 2.0], [3.0, 4.0]]
print(std(m), variance(m), variance(flatten(m)), variance([m, m]), std([m, m]), std(u))
let sizes = (2, 3)
print(all(rand(1, sizes) == rand(1, 2, 3)), all(randn(1, (2, 3)) == randn(1, 2, 3)))
print(place(u, 4), place(u, 5), place([1, 2], 2), argmax([0.0 * inf, 1.0]))
