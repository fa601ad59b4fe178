let x = arange(5)
print(x[-100:])
let a = [1, 2.5, true]
fn titled(t: str) { print(t) }
titled(1.0)
