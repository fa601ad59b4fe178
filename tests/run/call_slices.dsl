# Parts of what a call gives whose sizes come with it
fn far(n: int) -> f64[k] = [f64(i) for i in 0:n + 2]
fn wide(n: int) -> f64[k, m] = [f64(10 * i + j) for i in 0:n, j in 0:2 * n]
fn pair(n: int) -> (f64[k], int) = (far(n), n)
let a = far(3)[1:]
print(a, far(3)[0], len(far(4)), far(2) + 1)
print(sum(far(4)[1:] - far(4)[:-1]), far(3)[::2], far(3)[::-1][1:], far(5)[[0, 2]])
print(wide(2)[1:], wide(2)[:, 1], wide(3)[1:, 2:][1], wide(2)[0][1:])
fn inner(n: int) -> f64 = sum(far(n)[1:]) + sum(x for x in far(n)[2:]) + pair(n).0[0]
print(inner(6), [inner(i) for i in 0:3], [far(3)[1:][j] for j in 0:2], pair(2).0[1:])
fn first(x: f64[n], i: int) -> int = int(x[i])
print(far(first(far(2)[1:], 1))[first(far(3)[2:], 0):])
print(grad(fn(x: f64) => sum((x * far(2))[1:]^2))(2.0))
for v in far(1)[1:] { print(v) }
