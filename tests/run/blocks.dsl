let a = if true { 1 } else { 2 }
var count = 0
let b = if a > 0 {
    count += 1
    let t = a * 10
    t + count
} else { 0 }
print(a, b, count)
let x = [1.0, 2.0]
let y = if count == 1 { x * 2 } else { x }
print(y)
let s = if b > 100 { "big" } else if b > 5 { "middle" } else { "small" }
print(s)
