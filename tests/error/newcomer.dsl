count = 3
fn f(n: int) -> int = n
let y = 3
print(f(y / 2))
