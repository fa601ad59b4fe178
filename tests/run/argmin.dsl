# The first of the least and of the greatest: of arrays, of what is computed on the way, of rows
fn mix(i: int) -> int = (i * 7919 + i // 7 * 104729) % 1000003

fn nearest(x: f64[n, d], q: f64[d]) -> int = argmin([sum((x[i, k] - q[k])^2 for k) for i])
fn nearest_of(x: f32[n, d], q: f32[m, d]) -> int[m] = [argmin([sum((x[i, k] - q[j, k])^2 for k) for i in 0:n]) for j in 0:m]

let undefined = 0.0 * inf
for n in [1, 2, 7, 8, 9, 63, 64, 65, 4095, 4096, 4097, 20000] {
    let x = [f64(mix(i) % 977) for i in 0:n]
    let y = [-v for v in x]
    print(n, argmin(x), argmax(x), argmin(y), argmax(y), argmin([mix(i) % 31 for i in 0:n]), argmax([u8(mix(i) % 251) for i in 0:n]))
    print(argmin(zeros(f64, n)), argmax([f32(i // 5) for i in 0:n]), argmin([f32(n - i // 5) for i in 0:n]), argmax([i8(mix(i) % 7 - 9) for i in 0:n]))
}
print(argmin([inf, inf]), argmax([-inf, -inf, -inf]), argmin([0.0, -0.0]), argmax([-0.0, 0.0]), argmin([u64(18446744073709551615), 3, 3]))
print(argmin([-9223372036854775807 - 1, 5]), argmax([-9223372036854775807 - 1, -9223372036854775807 - 1]), argmax([f16(1.5), f16(2.5), f16(2.5)]))
let x = [sin(f64(mix(i * 8 + k))) for i in 0:20000, k in 0:8]
print(nearest(x, x[12345]), nearest(x, zeros(f64, 8)), nearest(x[0:1], x[5]), argmax([abs(x[i, 0] - x[i, 7]) for i in 0:20000]))
let narrow = [[f32(v) for v in row] for row in x[0:5000]]
print(nearest_of(narrow, narrow[17:4500:640]), [argmax(row) for row in x[0:9]], [argmin(x[:, k]) for k in 0:8])
let places = [argmin([if mix(i) % 3 == 0 { inf } else { f64(mix(i + j)) } for i in 0:300]) for j in 0:6]
print(places)
