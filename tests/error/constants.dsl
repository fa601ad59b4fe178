const a = b + 1
const b = c * 2
const c = a
var count = 3
const d = count
const e = sum([1.0, 2.0])
const f = f64(2)^0.5
const g: int = 2.5
const h = [a, 1]
fn twice(x: int) -> int { return 2*x }
const i = twice(3)
print(a, d, e, f, g, h, i)
f = 3.0
