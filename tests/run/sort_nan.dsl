# NaN comes last, and does not disturb the rest
let nan = 0.0 / 0.0
print(sort([nan, 1.0, -1.0, nan, 0.0]), sort([3, 1, 2]), sort([f32(nan), 2, 1]))
print(sort([nan]), sort([1.0, nan]), sort([nan, 1.0]), sort(zeros(f64, 0)))
