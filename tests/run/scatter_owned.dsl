# Sums through tables: with few threads each goes through the whole loop and adds what is its own; the bits are those of the loop.
fn noise(i: int) -> f64 = f64((i * 7919 + 13) % 10007) / 10007.0 - 0.5
fn spot(i: int, n: int) -> int = (i * 7919 + i // 13) % n

kernel gather_three(y: out f64[cells], x: f64[nodes, 3], node: int[cells, 4]) {
    let i = block.x * blockdim.x + thread.x
    if i < cells {
        let (a, b, c, d) = (node[i, 0], node[i, 1], node[i, 2], node[i, 3])
        let u = x[a, 0] * x[b, 1] - x[c, 2] * x[d, 0]
        let v = x[b, 0] / (1.0 + x[c, 1]^2) + x[d, 2] * x[a, 2]
        let w = (x[a, 1] + x[b, 2]) / (2.0 + x[d, 1]^2) - x[c, 0] * u
        y[i] = u * u + v / (3.0 + w * w) + w
    }
}
fn total(x: f64[nodes, 3], node: int[cells, 4]) -> f64 {
    var y = zeros(f64, cells)
    launch gather_three[ceildiv(cells, 128), 128](y, x, node)
    return sum(y^2)
}
let slope = grad(total, wrt=x)

## Several sums in a turn, of more than one array, some behind a branch
fn spread(at: int[n], v: f64[n], size: int) -> (f64[size, 2], f32[size]) {
    var a = zeros(f64, size, 2)
    var b = zeros(f32, size)
    parallel for i in 0:n {
        atomic a[at[i], 0] += v[i]
        atomic a[at[i], 1] += v[i] * v[i]
        if v[i] > 0.0 { atomic b[at[i]] += f32(v[i]) }
        atomic a[(at[i] + 1) % size, 1] += 0.5
    }
    return (a, b)
}
for nodes in [1, 3, 700] {
    for cells in [5, 9000] {
        let x = [noise(3 * i + j) for i in 0:nodes, j in 0:3]
        let node = [spot(4 * i + k, nodes) for i in 0:cells, k in 0:4]
        let g = slope(x, node)
        print(nodes, cells, total(x, node), sum(g), sum(g * [f64(i + j) for i in 0:nodes, j in 0:3]))
        let h = 1e-6
        let d = [noise(17 * i + j) for i in 0:nodes, j in 0:3]
        let difference = (total(x + h * d, node) - total(x - h * d, node)) / (2 * h)
        print("agrees with differences", abs(difference - sum(g * d)) <= 1e-5 * (1.0 + abs(difference)))
        let (a, b) = spread([spot(i, nodes) for i in 0:cells], [noise(i) for i in 0:cells], nodes)
        print(sum(a * [f64(i + 2 * j) for i in 0:nodes, j in 0:2]), sum([f64(b[i]) * f64(i) for i in 0:nodes]))
    }
}
