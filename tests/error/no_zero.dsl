var s: str
var t: (int, str)
var u: (int, f64[3])
print(s, t, u)
