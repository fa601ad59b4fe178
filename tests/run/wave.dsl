const c = 0.5
kernel step(next: out f64[n], cur: f64[n], prev: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 {
        next[i] = 2*cur[i] - prev[i] + c^2 * (cur[i-1] - 2*cur[i] + cur[i+1])
    }
}
fn simulate(u0: f64[n], steps: int) -> f64[n] {
    var prev = u0
    var cur = u0
    for t in 0:steps {
        var next = zeros(f64, n)
        launch step[ceildiv(n, 16), 16](next, cur, prev)
        prev = cur
        cur = next
    }
    return cur
}
let x = linspace(0.0, 1.0, 33)
let u = simulate(exp(-100*(x - 0.5)^2), 20)
print(u[16], u[8], max(u))
