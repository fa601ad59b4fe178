const zero = 3 - 3
fn f(n: int) -> int { return n // 0 + n % zero + ceildiv(n, 0) }
var i = 3
i //= 0
print(f(2), i, 1 / 0, 1.0 / 0.0)
