# Ends of what the library takes: NaN, ties, large and narrow ints, no elements
let x = [3.0, nan, 5.0, nan, 1.0]
print(argmax(x), argmin(x), max(x), min(x), argmax([1, 5, 5, 2]), argmin([u8(3), u8(1), u8(1)]), argmax([f32(1), f32(nan)]))
print(argmax([0.0, -0.0]), argmin([0.0, -0.0]), argmax([-inf, -inf]), argmin([nan]))
let big = [9223372036854775807, 9223372036854775807, 9223372036854775805]
print(mean(big), mean([[2^62, 2^62], [2^62, 2^62]], axis=0), mean([u64(18446744073709551615), u64(18446744073709551615)]), mean([1, 2]), mean([u8(255), u8(254)]))
let a = [u8(200), u8(100)]
let m = [[i8(100), i8(-128)], [i8(27), i8(100)]]
print(a @ a, m @ m, m @ m[0], m[0] @ m, dot(a, a))
var y = zeros(int, 2)
parallel for i in 0:2 { y[i] = m[i] @ m[i] }
print(y)
let e = zeros(f64, 0)
print(mean(e), sum(e), variance(e), norm(e), logsumexp(e), softmax(e), trapz(e, 1.0), sort(e), argsort(e), cumprod(e), min(e), max(e), mean(zeros(int, 0)))
let big2 = [f64(i % 1000) for i in 0:50000]
print(argmax(big2), argmin(big2), argmax(concat(big2, [nan])), argmin(concat(concat([nan], big2), [nan])))
print(histogram([0.5, 0.7, 1.0], 0.0, 1.0, 2), randint(1, 0, 5, 4))
