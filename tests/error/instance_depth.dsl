fn count(f: fn(int) -> int, n: int) -> int { return count(fn(x) => f(x) + 1, n - 1) }
print(count(fn(x) => x, 3))
