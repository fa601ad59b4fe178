let (a, b) = [1, 2, 3]
let (c, d) = zeros(f64, 2, 2, 2)
let (e, f, g, h, i) = [1, 2, 3, 4, 5]
print(a, b, c, d, e, f, g, h, i)
