let t = [(1, 2), (3, 4)]
let b = [true, false]
let x = [1.0, 2.0]
print(sum(t), any(x), all([1, 2]), prod(b), max(b), sum(b), sum("x"), sum(3), min(t))
print(reduce(fn(a, b) => a > b, 1, [1, 2]), scan(fn(a, b) => (a, b), x), reduce(3, 0, x), scan(max, [[1.0]]))
