fn axpy(a: T, x: T[n], y: T[n]) -> T[n] = a*x + y
let x = [1.0, 2.0]
print(axpy(2, x, x), axpy(true, x, x), axpy(2, [true], x), axpy(f32(2), f32([1, 2]), f32(x)))
let b = [true, false]
print(axpy(1, b, b))
