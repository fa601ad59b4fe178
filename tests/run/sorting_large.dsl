# Orders of arrays that threads share out: sizes around those from which they do, ties, NaN, keys with few differences or with many, slices
fn stands(a: f64, b: f64, i: int, j: int) -> bool = a < b or (not isnan(a) and isnan(b)) or ((a == b or (isnan(a) and isnan(b))) and i < j)
fn in_order(x: f64[n], at: int[n]) -> bool {
    var seen = zeros(int, n)
    seen[at] += 1
    return all(seen == 1) and all(stands(x[at[i - 1]], x[at[i]], at[i - 1], at[i]) for i in 1:n)
}
fn middle(s: f64[n]) -> f64 = if isnan(s[n - 1]) { s[n - 1] } else if n % 2 == 1 { s[n // 2] } else { 0.5 * s[n // 2 - 1] + 0.5 * s[n // 2] }
fn right(x: f64[n]) -> bool {
    let at = argsort(x)
    let s = sort(x)
    let same = all(s[i] == x[at[i]] or (isnan(s[i]) and isnan(x[at[i]])) for i in 0:n)
    let m = median(x)
    let mid = middle(s)
    let third = n // 3
    let ranked = isnan(s[n - 1]) or (quantile(x, 0.0) == s[0] and quantile(x, 1.0) == s[n - 1])
    let u = unique(x)
    let rises = all(u[i - 1] < u[i] or isnan(u[i]) for i in 1:len(u)) and sum(unique_counts(x).1) == n
    return in_order(x, at) and same and (m == mid or (isnan(m) and isnan(mid))) and ranked and rises and s[third] == s[third] * 1
}
for n in [31, 32, 33, 34, 16384, 16385, 32768, 32769, 40001] {
    let r = rand(n, n)
    let few = [f64(k) for k in randint(n, 0, 5, n)]
    let far = exp(100 * randn(n, n))
    let one = [if i == n // 2 { 1e300 } else { r[i] * 1e-300 } for i in 0:n]
    let ulps = [1 + f64(k) * epsilon(f64) for k in randint(n, 0, 3, n)]
    if not right(r) or not right(-r) { print("wrong", n) }
    if not right(few) or not right(full(-2.0, n)) { print("wrong ties", n) }
    if not right(far) or not right(one) or not right(ulps) { print("wrong skewed", n) }
    if not right(arange(n) * 1.0) or not right(reverse(arange(n)) * 1.0) { print("wrong sorted", n) }
    let holes = where(few == 2, nan, where(few == 3, -0.0, where(few == 4, 0.0, r - 0.5)))
    if not in_order(holes, argsort(holes)) or not isnan(median(holes)) { print("wrong nan", n) }
    let s = sort(r)
    if any(searchsorted(s, r) != [searchsorted(s, r[i]) for i in 0:n]) { print("wrong search", n) }
}
let n = 40000
let k = randint(3, -100000, 100000, n)
fn sorts(x: T[n]) -> bool = in_order([f64(v) for v in x], argsort(x)) and all(sort(x) == x[argsort(x)])
print(sorts(k), sorts([i8(v) for v in k]), sorts([i16(v) for v in k]), sorts([i32(v) for v in k]), sorts([u8(v) for v in k]), sorts([u16(v) for v in k]))
print(sorts([u32(v) for v in k]), sorts([u64(v + 100000) << u64(40) for v in k]), sorts([f32(v) / 7 for v in k]), sorts([f16(v % 999) for v in k]), sorts([bf16(v) for v in k]))
print(in_order([f64(v % 3 == 0) for v in k], argsort([v % 3 == 0 for v in k])), unique([i8(v % 4) for v in k]), unique([v > 0 for v in k]))
let big = randn(5, 2, 40001)
let row = big[1]
print(all(sort(big[1, ::2]) == sort([row[2 * i] for i in 0:20001])), all(sort(row[::-1]) == sort(row)), median(row[::3]) == median([row[3 * i] for i in 0:13334]))
print(all(sort(big.T[:, 0]) == sort(big[0])), all(sort(big, axis=1)[1] == sort(row)), quantile(row, 0.25) == sort(row)[10000])
let holes = where(arange(n) == 39999, nan, randn(1, n))
print(median(holes), median(holes[0:39999]) == sort(holes)[19999], len(unique([f"{v % 97}" for v in k])))
