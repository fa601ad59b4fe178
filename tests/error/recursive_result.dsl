fn fact(n: int) = if n <= 1 { 1 } else { n * fact(n - 1) }
fn a(n: int) = b(n)
fn b(n: int) = a(n)
print(fact(3), a(1))
