const size =
let x = 1.0 +
let y: f64[] = [x]
for i in
print(x, y)
