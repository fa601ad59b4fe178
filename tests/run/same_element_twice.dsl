# An iteration touches an element in two ways, u[0, j] and u[t, j] with t = 0, in loops that are written out by remainders: no
# compiler may exchange the two.
fn both(a: f64[2], nt: int) -> f64[nt, 5] {
    var u = [q + 1.0 for p in 0:nt, q in 0:5]
    for t in 0:nt {
        parallel for j in 0:5 {
            u[0, j] = u[0, j] + 1
            u[t, j] = u[t, j] * a[j % 2]
        }
    }
    return u
}
fn joined(a: f64[n, m], nt: int) -> f64[nt, n] {
    var u = [q + 1.0 for p in 0:nt, q in 0:n]
    for t in 0:nt {
        var r = u[0]
        for i in 1:n { r[i] = u[0, n - i] }
        u[0] = r
        u[t, :] *= [a[0, j % m] for j in 0:n]
    }
    return u
}
fn back(a: f64[n, m], nt: int) -> f64 {
    var u = [sin(q) for p in 0:nt, q in 0:n]
    for t in 1:-1:-1 {
        parallel for j in 0:n {
            let b = sin(u[t + 1, j] + a[j, (j + 1) % m]) + a[(j + 1) % n, (j + 1) % m]
            u[1, j] = sin(b)
        }
    }
    return sum(u^2)
}
print(both([2.0, 3.0], 2))
print(joined([[2.0, 3.0], [0.0, 0.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]], 2))
let a = [[0.625, 0.25], [-0.375, -0.0625], [0.25, 0.875], [-0.75, 0.5], [-0.125, 0.625]]
print(sum(grad(back, wrt=a)(a, 6)))
