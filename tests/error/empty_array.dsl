let a = []
let b: f64[0] = []
print([], [[]], b + [])
