# Parts of arrays that are written afresh: borders of all kinds, parts that are empty or all, one to three axes
const N = 9
fn inside(u: f64[n, m]) -> f64[n, m] {
    var next = u
    next[1:n - 1, 1:m - 1] = [u[i - 1, j] + 2 * u[i + 1, j] - u[i, j - 1] * u[i, j + 1] for i in 1:n - 1, j in 1:m - 1]
    return next
}
fn corner(u: f64[n, m], a: int, b: int) -> f64[n, m] {
    var next = u
    next[:a, b:] = [-u[i, j + b] for i in 0:a, j in 0:m - b]
    return next
}
fn space(u: f32[n, m, k]) -> f32[n, m, k] {
    var next = u
    next[1:n - 1, :, 2:k] = [u[i, j, l] - u[i + 2, j, l + 2] for i in 0:n - 2, j in 0:m, l in 0:k - 2]
    return next
}
fn line(u: int[n]) -> int[n] {
    var next = u
    next[2:n - 1] = [u[i] * u[i + 1] for i in 2:n - 1]
    return next
}
let u = [f64((7 * i + 3 * j) % 11) for i in 0:N, j in 0:N + 2]
print(inside(u), inside(inside(u))[4], sum(inside(inside(inside(u)))))
print(corner(u, 2, 9)[0:3, 8:], sum(corner(u, 0, 3)), sum(corner(u, N, 0)), sum(corner(u, N, N + 2)))
let v = [f32((5 * i + 3 * j + l) % 7) for i in 0:5, j in 0:1, l in 0:4]
print(space(v)[1, 0], sum(space(v)), line([i % 5 for i in 0:9]), line([1, 2, 3]))
print(pad(u[0:2, 0:3], 1, 0.5), pad([1, 2], 2, 1, 7), len(pad(zeros(f64, 0), 2)))
