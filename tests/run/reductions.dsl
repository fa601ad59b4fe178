let a = [[1.0, 2.0], [3.0, 4.0]]
print(sum(a), prod(a), min(a), max(a), any(a > 3), all(a > 3))
print(sum(a, 0), sum(a, axis=1), max(a, axis=0), min(a, axis=-1))
print(sum(i * i for i in 0:10), max(abs(i - 4) for i in 0:10), prod(i for i in 1:6))
print(sum(i * j for i in 0:4, j in 0:5), sum(i * j for i in 0:4, j in 0:i))
print(any(i == 3 for i in 0:5), all(i < 4 for i in 0:5))
print(reduce(fn(p, q) => p * q % 97, 1, i for i in 1:20))
print(scan(fn(p, q) => max(p, q), [1, 3, 2, 5, 4]), cumsum([1.0, 2.0, 3.0]))
print(sum(zeros(f64, 0)), prod(ones(int, 0)), sum(i for i in 3:1))
let x = [f64(i) for i in 0:10000]
print(sum(x), sum(x * 0.1), sum(0.1 for i in 0:100000))
print(sum([true, false, true]), sum([1, 2, 3]) / 2)
let big = sum(1.0 / f64(i + 1) for i in 0:5000)
print(big)
