var total = 0.0
let f = fn(x) => if x > 0 {
    total = total + x
    x
} else { 0.0 }
print(f(1.0))
