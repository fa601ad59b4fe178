# Numbers between -1 and 0 become the int 0, and that the number 0.0: never -0.0
fn whole(x: f64[n]) -> f64[n] = [f64(i32(v)) for v in x]
fn limited(x: f64[n]) -> f64[n] = [max(-2.0, min(f64(i16(v)), 2.0)) for v in x]
fn unsigned(x: f64[n]) -> f64[n] = [f64(u64(v)) for v in x]
fn single(x: f64[n]) -> f32[n] = [f32(i8(f32(v))) for v in x]
let x = [(uniform(1, i) - 0.9) * 4 for i in 0:40]
print(whole(x))
print(limited(x))
print(unsigned(x))
print(single(x))
print([1.0 / (f64(i16(v)) + 0.5 * f64(v > -1)) for v in x])
