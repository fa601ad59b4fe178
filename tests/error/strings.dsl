let a = "x" == "y"
let b = f64("3")
print(a, b, sum("abc"))
assert true, 3
