let x = [1.0, 2.0]
if x > 1 { print("big") }
let y = if x == x { 1 } else { 2 }
assert x > 0, "positive"
print(y)
