# Stacks of matrices: one product for each index of the leading axes.
fn ramp(b: int, n: int, m: int) -> f64[b, n, m] = [f64((7*i + 3*j + 5*k) % 11) - 4.0 for i in 0:b, j in 0:n, k in 0:m]
fn whole(b: int, n: int, m: int) -> i32[b, n, m] = [i32((7*i + 3*j + 5*k) % 11) for i in 0:b, j in 0:n, k in 0:m]
let a = ramp(3, 4, 5)
let b = ramp(3, 5, 2)
print(a @ b)
print(all([sum(a[s, i, k] * b[s, k, j] for k in 0:5) for s in 0:3, i in 0:4, j in 0:2] == a @ b))
let m = b[1, :, :]
let v = [1.0, -1.0, 2.0, 0.5, 3.0]
print(sum(a @ m), all((a @ m)[2, :, :] == a[2, :, :] @ m))
print(all((a @ v)[1, :] == a[1, :, :] @ v))
print(all((a[0, :, :] @ b)[2, :, :] == a[0, :, :] @ b[2, :, :]))
# large ones, by the library; f32; four axes; a stack of none; ints
let large = ramp(6, 40, 30)
let wide = ramp(6, 30, 50)
print(sum(abs(large @ wide - [sum(large[s, i, k] * wide[s, k, j] for k in 0:30) for s in 0:6, i in 0:40, j in 0:50])))
print(sum(f32(large) @ f32(wide)))
let four = reshape(large, 2, 3, 40, 30)
print(all(reshape(four @ reshape(wide, 2, 3, 30, 50), 6, 40, 50) == large @ wide))
print(ramp(0, 3, 4) @ ramp(0, 4, 2))
print(sum(whole(2, 9, 12) @ whole(2, 12, 10)), sum(whole(2, 9, 12) @ whole(2, 12, 10)[0, :, :]))
# sizes known when it runs, derivatives
fn attention(q: f64[h, n, d], k: f64[h, n, d]) -> f64[h, n, n] = q @ transpose(k, 0, 2, 1)
print(sum(attention(large, large)), sum(attention(a, a)[1, 0, :]))
fn loss(x: f64[h, n, d], w: f64[h, d, e]) -> f64 = sum((x @ w) * (x @ w))
let (gx, gw) = grad(loss, wrt=(x, w))(a, b)
let h = 1e-6
print(abs(gx[1, 2, 3] - (loss(a + h*[1.0 * f64(s == 1 and i == 2 and k == 3) for s in 0:3, i in 0:4, k in 0:5], b) - loss(a, b)) / h) < 1e-2)
print(abs(gw[2, 3, 1] - (loss(a, b + h*[1.0 * f64(s == 2 and i == 3 and k == 1) for s in 0:3, i in 0:5, k in 0:2]) - loss(a, b)) / h) < 1e-2)
fn shared(w: f64[d, e], x: f64[h, n, d]) -> f64 = sum((x @ w) * (x @ w))
print(abs(grad(shared, wrt=w)(m, a)[3, 1] - (shared(m + h*[1.0 * f64(i == 3 and k == 1) for i in 0:5, k in 0:2], a) - shared(m, a)) / h) < 1e-2)
