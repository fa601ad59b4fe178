# Orders: of all types, equal elements as they stand, NaN last, zeros of both signs equal
let x = [3.0, nan, -0.0, 1.0, 0.0, -inf, inf, -2.5, 0.0]
print(sort(x), argsort(x), 1 / sort(x)[2], 1 / sort(x)[3])
print(sort([i8(5), i8(-7), i8(0)]), sort([u64(18446744073709551615), u64(1)]), sort([-5, 3, smallest(int), largest(int)]))
print(sort([f16(2.5), f16(-1)]), sort([f32(2.5), f32(-1), f32(1e-40)]), argsort([u8(200), u8(100)]))
for n in [0, 1, 2, 47, 48, 49, 50, 1000, 40000] {
    let r = rand(n, n)
    let at = argsort(r)
    let s = sort(r)
    let k = randint(n, 0, 5, n)
    let order = argsort(k)
    let rises = all(s[max(i - 1, 0)] <= s[i] for i in 0:n)
    let stable = all(i == 0 or k[order[max(i - 1, 0)]] < k[order[i]] or (k[order[max(i - 1, 0)]] == k[order[i]] and order[max(i - 1, 0)] < order[i]) for i in 0:n)
    if not rises or not stable or any(r[at] != s) or sum(at) != n * (n - 1) // 2 { print("wrong", n) }
    if n > 0 {
        let half = if n % 2 == 1 { s[n // 2] } else { (s[n // 2 - 1] + s[n // 2]) / 2 }
        if abs(median(r) - half) > 1e-15 or quantile(r, 0.0) != s[0] or quantile(r, 1.0) != s[n - 1] { print("wrong median", n) }
        let v = rand(n + 1, 100)
        if any(searchsorted(s, v) != [sum(int(s < v[i])) for i in 0:100]) { print("wrong search", n) }
    }
}
print(median([1.0, nan, 2.0]), median([5.0]), median([2.0, 1.0]), quantile([1.0, 1.0, 1.0, 2.0], 0.5))
print(searchsorted([1.0, 2.0, 2.0, 3.0], [0.0, 1.0, 2.0, 2.5, 9.0, nan]), searchsorted(zeros(f64, 0), [1.0]), unique([nan, 1.0, nan]))
fn spread(x: f64[n]) -> f64 = sort(x)[n - 1] - sort(x)[0] + median(x)
print(grad(spread)([3.0, 1.0, 2.0]))
