# Literals of many constants are tables: every type, signs, rows, structs, values that change afterwards
struct Body { mass: f64, id: int }
fn weights() -> f64[16] = [1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, -5, -6, -7, -0.5]
fn lookup(i: int) -> int {
    let primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59]
    return primes[i]
}
const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 1, 2, 3, 4]

let a: f32[16] = [0.1, 0.2, 0.3, 1e10, -1e-10, 0, -0.0, 3, 4, 5, 6, 7, 8, 9, 10, 11]
let h: f16[16] = [0.1, 65504, -2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
let b: bf16[16] = [0.1, 65504, -2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
let c: u8[16] = [255, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
let d: i64[16] = [-9223372036854775807 - 1, 9223372036854775807, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
let u: u64[16] = [18446744073709551615, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
let i: i32[16] = [-2147483648, 2147483647, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
let t = [true, false, true, true, false, false, true, false, true, true, true, true, false, false, false, true]
print(a, 1 / a[5:7])
print(h, b)
print(c, d, u, i, t)
let m = [[1.5, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [-1, -2, -3, -4.25]]
print(m, m @ m, shape(m))
let bodies = [Body(1, 1), Body(2, 2), Body(3, 3), Body(4, 4), Body(5, 5), Body(6, 6), Body(7, 7), Body(8, 8), Body(9, 9),
              Body(10, 10), Body(11, 11), Body(12, 12), Body(13, 13), Body(14, 14), Body(15, 15), Body(16, 16)]
print(sum(bodies[k].mass for k in 0:16), bodies[15].id)
var x = weights()
for turn in 0:3 {
    x[turn] = 100
    let y = weights() # is not what x has become
    print(sum(x), sum(y), lookup(turn), days[turn])
}
var same = [1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
let other = [1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
same[0] = 7
print(same[0], other[0])
let n = 3
print([n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, n * n]) # not all are constants
# Several columns, in the order in which they are asked for
save("several.csv", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "a, b c, d")
let two: f64[rows_of_two, of_two] = load("several.csv", "d, a")
let one: f64[rows_of_one, of_one] = load("several.csv", " b c ")
print(two, one)
