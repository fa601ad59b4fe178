# Reductions across the ends of chunks (1024), groups (65536) and blocks (4194304)
fn runs(n: int) -> f64 = sum(f64(i) * 1.1 for i in 0:n)
fn rows(n: int, m: int) -> f64[n] = [sum(1.1 * j + i for j in 0:m) for i in 0:n]
let big = 4194304
print(runs(1), runs(0), runs(1024), runs(1025), runs(65536), runs(65537), runs(131073), runs(big), runs(big + 1), runs(big + 65536), runs(big + 65537))
print(rows(2, 1024), rows(2, 1025), rows(2, 65537), rows(1, big + 1), rows(1, big + 65537))
print(rows(0, 5), rows(2, 0))
let x = [1.1 * i for i in 0:big + 70000]
print(sum(x), sum(x[1:]), sum(reshape(x[0:big + 10], 2, (big + 10) // 2)), sum(reshape(x, 1, len(x)), axis=1), x @ x)
fn error(x: f32[n]) -> f64 = f64(sum(x)) / sum(f64(v) for v in x) - 1
let tenths = full(f32(0.1), 3000000)
print(abs(error(tenths)) < 1e-6, abs(error([f32(uniform(7, i)) for i in 0:300000])) < 1e-6)
