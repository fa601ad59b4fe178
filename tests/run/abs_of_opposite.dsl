# The opposite of an unsigned int wraps, and is its own absolute value.
fn distance(a: u8) -> u8 { return abs(-a) }
fn size(a: i32) -> i32 { return abs(-a) }
let x: u8[3] = [1, 2, 200]
print(abs(-x), [distance(v) for v in x])
let y: i32[3] = [-5, 0, 7]
print(abs(-y), [size(v) for v in y])
