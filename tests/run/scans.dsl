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
