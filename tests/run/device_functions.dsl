fn clamp01(x: f64) -> f64 {
    if x < 0 { return 0 }
    if x > 1 { return 1 }
    return x
}
fn mix(a: (f64, f64), t: f64) -> (f64, f64) = (a.0 * t, a.1 * (1 - t))
struct P { x: f64, y: f64 }
kernel shade(out_: out f64[n], x: f64[n]) {
    let i = thread.x
    let m = mix((x[i], 2.0), clamp01(x[i] / 10))
    out_[i] = m.0 + m.1
}
kernel move(p: inout P[n], dt: f64) {
    let i = thread.x
    let q = p[i]
    p[i] = P(q.x + dt, q.y - dt)
    p[i].y *= 2
}
var r = zeros(f64, 4)
launch shade[1, 4](r, [-5.0, 0.0, 5.0, 50.0])
print(r)
var ps = [P(f64(i), 1) for i in 0:3]
launch move[1, 3](ps, 0.5)
print([ps[i].x for i in 0:3], [ps[i].y for i in 0:3])
