fn f(width: f64, height: f64) -> f64 { return width * height }
let g = fn(a, b) => a - b
print(f(width=1.0, hieght=2.0), f(width=1.0, width=2.0), f(1.0, width=2.0), sum([1.0], axes=0), f(height=1.0))
print(g(b=1, a=2), g(a=1, c=2), f32(x=1), f(height=1.0, width=2.0))
