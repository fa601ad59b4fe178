# 0 - x of an int made a float: no negative zero
fn rest(i: int) -> f64 = (0.0 - f64(i)) * 2.5
fn single(i: i32) -> f32 = (f32(0.0) - f32(i)) / f32(4.0)
let x = [0.0 - f64(i) for i in 0:4]
print(rest(0), rest(3), single(0), single(2), x, [-0.0 - f64(i) for i in 0:2], 0.0 - x)
