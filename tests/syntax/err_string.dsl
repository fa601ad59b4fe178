print("never closed)
let a = "bad \q escape, \x9f too, \u{110000} and \u41"
let b = 1
print('single', b)
let c = b'
