# Branches in inner loops of parallel ones, reads through index arrays, of borders and of what is beside
struct Cell { a: f32, b: f32 }

kernel flow(out_flow: out Cell[n], v: Cell[n], neighbour: i32[m, n], weight: f32[m, n], far: f32) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    let a = v[i].a
    let b = v[i].b
    let speed = sqrt(a * a + b * b + 1)
    var x: f32 = 0
    var y: f32 = 0
    for j in 0:m {
        let nb = neighbour[j, i]
        let w = weight[j, i]
        if nb >= 0 {
            let c = v[nb].a
            let d = v[nb].b
            let other = sqrt(c * c + d * d + 1)
            let flux = w * (speed + other) * 0.5 - w * w / other
            x += flux * (a - c) + w * (a * b + c * d) - flux / speed
            y += flux * (b - d) + w * (a * a - c * c) - flux / other
            if d > b {
                y -= w * v[nb].a / (speed + other)
                x = x * 0.99 + w * flux * flux - d
            }
        } else if nb == -1 {
            x += w * speed * a
        } else {
            y += w * (far + b) * 0.5
            x -= w / (far * far + speed)
        }
    }
    out_flow[i] = Cell(x, y)
}

fn run(n: int, m: int, shift: int) -> (f64, f64) {
    let v = [Cell(f32(sin(f64(i))), f32(cos(3 * f64(i)))) for i in 0:n]
    let neighbour = [i32((i * 7 + j * 13 + shift) % (n + 2) - 2) for j in 0:m, i in 0:n]
    let weight = [f32((i + j) % 5) / 5 for j in 0:m, i in 0:n]
    var f = [Cell(0, 0) for i in 0:n]
    launch flow[ceildiv(n, 32), 32](f, v, neighbour, weight, 1.25)
    return (sum(f64(f[i].a) * (i % 11 + 1) for i in 0:n), sum(f64(f[i].b) * (i % 11 + 1) for i in 0:n))
}
for n in 1:90:11 { print(n, run(n, 4, n % 3), run(n, 1, 0)) }
print(run(16, 0, 0))
