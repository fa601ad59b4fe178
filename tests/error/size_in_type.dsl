var count = 3
let a: f64[count] = [1.0, 2.0, 3.0]
var b: f64[_]
let c: f64[-1] = [1.0]
let d = zeros(f64, -2)
let e = zeros(f64, 2.5)
fn f(n: int) -> f64[-3] { return zeros(f64, 3) }
let g = ones(f64, 1, 1, 1, 1, 1, 1, 1, 1, 1)
let h: f64[1, 1, 1, 1, 1, 1, 1, 1, 1] = 0.0
let i = [[[[[[[[[1.0]]]]]]]]]
print(a, b, c, d, e, g, h, i)
let j: f64[count2] = 5
let k: f64[q, r] = [1.0, 2.0]
print(j, k)
