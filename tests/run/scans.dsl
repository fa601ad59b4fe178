let n = 10000
let x = [i % 7 for i in 0:n]
let s = cumsum(x)
print(s[0], s[6], s[4095], s[4096], s[n - 1])
let f = cumsum([0.1 for i in 0:n])
print(f[0], f[2], f[4095], f[4096], f[n - 1])
print(scan(fn(a, b) => if a > b { a } else { b }, [3, 1, 4, 1, 5, 9, 2, 6]))
fn compose(a: (f64, f64), b: (f64, f64)) -> (f64, f64) = (a.0 * b.0, a.1 * b.0 + b.1)
let r = scan(compose, [(0.5, 1.0) for i in 0:6])
print([r[i].1 for i in 0:6])
# Around the chunks of 4096: sizes known and not, signed zeros, a custom operator, NaN
let sizes = [1, 4095, 4096, 4097, 8191, 8192, 8193, 20000]
for k in 0:len(sizes) {
    let m = sizes[k]
    let g = cumsum([1.0 / f64(i + 1) for i in 0:m])
    let w = scan(compose, [(1.0 + 1e-4 * f64(i % 3), 0.25) for i in 0:m])
    print(m, g[m - 1], g[m // 2], sum(g), w[m - 1].1, sum([w[i].0 for i in 0:m]))
}
let z = cumsum([-0.0 for i in 0:10000])
print(1.0 / z[0], 1.0 / z[4096], 1.0 / z[9999])
let short = cumsum([0.1 * f64(i) for i in 0:100])
print(short[0], short[99], len(cumsum(zeros(f64, 0))))
