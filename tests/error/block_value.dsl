let x = 1
let a = if x > 0 { let y = 2 } else { 3 }
let b = if x > 0 { } else { 3 }
let c = if x > 0 { 1 } else { "a" }
let d = if x > 0 { [1, 2] } else { [1, 2, 3] }
let e = if x > 0 { print(x) } else { print(2) }
print(a, b, c, d, e)
