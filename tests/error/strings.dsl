let a = "x" and "y"
let b = u8("3")
print(a, b, sum("abc"))
assert true, 3
