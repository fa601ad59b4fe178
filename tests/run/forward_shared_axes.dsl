# A tile of three axes: brought by all threads in several turns, which has many pieces, and by faces.
const B = 4
const W = B + 2
fn clamped(i: int, n: int) -> int = min(max(i, 0), n - 1)
kernel turns(v: out f64[n, m, q], u: f64[n, m, q]) {
    shared s: f64[W, W, W]
    let z = thread.z
    let y = thread.y
    let x = thread.x
    for a in z:W:B {
        for b in y:W:B {
            for c in x:W:B { s[a, b, c] = u[clamped(block.z * B + a - 1, n), clamped(block.y * B + b - 1, m), clamped(block.x * B + c - 1, q)] }
        }
    }
    barrier
    let i = block.z * B + z
    let j = block.y * B + y
    let l = block.x * B + x
    if i < n and j < m and l < q {
        v[i, j, l] = s[z, y + 1, x + 1] + 2 * s[z + 2, y + 1, x + 1] + 3 * s[z + 1, y, x + 1] + 4 * s[z + 1, y + 2, x + 1] + 5 * s[z + 1, y + 1, x] + 6 * s[z + 1, y + 1, x + 2]
    }
}
kernel faces(v: out f64[n, m, q], u: f64[n, m, q]) {
    shared s: f64[W, W, W]
    let z = thread.z
    let y = thread.y
    let x = thread.x
    let i = block.z * B + z
    let j = block.y * B + y
    let l = block.x * B + x
    s[z + 1, y + 1, x + 1] = u[clamped(i, n), clamped(j, m), clamped(l, q)]
    if z == 0 { s[0, y + 1, x + 1] = u[clamped(i - 1, n), clamped(j, m), clamped(l, q)] }
    if z == B - 1 { s[B + 1, y + 1, x + 1] = u[clamped(i + 1, n), clamped(j, m), clamped(l, q)] }
    if y == 0 { s[z + 1, 0, x + 1] = u[clamped(i, n), clamped(j - 1, m), clamped(l, q)] }
    if y == B - 1 { s[z + 1, B + 1, x + 1] = u[clamped(i, n), clamped(j + 1, m), clamped(l, q)] }
    if x == 0 { s[z + 1, y + 1, 0] = u[clamped(i, n), clamped(j, m), clamped(l - 1, q)] }
    if x == B - 1 { s[z + 1, y + 1, B + 1] = u[clamped(i, n), clamped(j, m), clamped(l + 1, q)] }
    barrier
    if i < n and j < m and l < q {
        v[i, j, l] = s[z, y + 1, x + 1] + 2 * s[z + 2, y + 1, x + 1] + 3 * s[z + 1, y, x + 1] + 4 * s[z + 1, y + 2, x + 1] + 5 * s[z + 1, y + 1, x] + 6 * s[z + 1, y + 1, x + 2]
    }
}
fn plain(u: f64[n, m, q]) -> f64[n, m, q] =
    [u[clamped(i - 1, n), j, l] + 2 * u[clamped(i + 1, n), j, l] + 3 * u[i, clamped(j - 1, m), l] + 4 * u[i, clamped(j + 1, m), l] + 5 * u[i, j, clamped(l - 1, q)] + 6 * u[i, j, clamped(l + 1, q)]
     for i in 0:n, j in 0:m, l in 0:q]

fn check(n: int, m: int, q: int) {
    let u = [f64((i * 7 + j * 3 + l * 5) % 11) for i in 0:n, j in 0:m, l in 0:q]
    var v = zeros(f64, n, m, q)
    var w = zeros(f64, n, m, q)
    launch turns[(ceildiv(q, B), ceildiv(m, B), ceildiv(n, B)), (B, B, B)](v, u)
    launch faces[(ceildiv(q, B), ceildiv(m, B), ceildiv(n, B)), (B, B, B)](w, u)
    print(n, m, q, sum(abs(v - plain(u))), sum(abs(w - plain(u))))
}
check(1, 1, 1)
check(9, 6, 5)
check(4, 8, 3)
