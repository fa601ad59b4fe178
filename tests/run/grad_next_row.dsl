# What a turn of a loop hands on, read by the reverse from the tape's next row: of loops with no turn, with a step, left
# early, within each other, with checkpoints; of arrays that change places, and of what is handed on twice.
fn blend(x: f64[n], y: f64[n]) -> f64[n] = [tanh(x[i]) * y[(i + 1) % n] + 0.1 * x[(i + 2) % n] for i in 0:n]

kernel push(next: out f64[n], u: f64[n], v: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 { next[i] = u[i] + 0.1 * v[i] * (u[i - 1] - u[i + 1]) * u[i] }
}
fn launched(u0: f64[n], steps: int) -> f64 {
    var (u, v) = (u0, 2 * u0)
    for t in 0:steps {
        var (un, vn) = (u, v)
        launch push[ceildiv(n, 4), 4](un, u, v)
        launch push[ceildiv(n, 4), 4](vn, v, un)
        u = un
        v = vn
    }
    return sum(u^2) + sum(v * u)
}
fn backward(u0: f64[n], steps: int) -> f64 {
    var (u, v) = (u0, 1 - u0)
    for t in steps:0:-2 {
        let w = blend(u, v)
        v = w * u + f64(t) * 0.01
        u = w
    }
    return sum(u * v)
}
fn swapped(u0: f64[n], steps: int) -> f64 {
    var (u, v) = (u0, exp(u0))
    for t in 0:steps {
        let w = blend(u, v)
        u = v
        v = w / (1 + sum(w^2))
    }
    return sum(u * v^2)
}
fn until(u0: f64[n], steps: int) -> f64 {
    var u = u0
    var left = steps
    while left > 0 and sum(u^2) < 50 {
        var next = u
        launch push[ceildiv(n, 4), 4](next, u, blend(u, u))
        u = 1.2 * next
        left -= 1
    }
    return sum(u^3)
}
fn nested(u0: f64[n], steps: int) -> f64 {
    var u = u0
    for t in 0:steps {
        var v = u
        for k in 0:t + 1 {
            var next = v
            launch push[ceildiv(n, 4), 4](next, v, u)
            v = blend(next, v) * next
        }
        u = 0.5 * u + v
    }
    return sum(u^2)
}
fn saved(u0: f64[n], steps: int) -> f64 {
    var u = u0
    for t in checkpoint(0:steps, every=2) {
        var next = u
        launch push[ceildiv(n, 4), 4](next, u, u)
        u = next * next + 0.1 * u
    }
    return sum(u)
}
fn twice(u0: f64[n], steps: int) -> f64 {
    var (u, v) = (u0, u0)
    for t in 0:steps {
        let w = blend(u, v) * v
        u = w
        v = w
    }
    return sum(u * v)
}

let x = [0.3 + 0.07 * f64(i * i % 11) for i in 0:9]
let d = [0.5 - 0.11 * f64(i * 7 % 10) for i in 0:9]
fn report(name: str, forward: f64, backward: f64, difference: f64) {
    print(name, abs(forward - backward) < 1e-12 * (1 + abs(forward)), abs(difference - forward) < 1e-6 * (1 + abs(forward)))
}
let h = 1e-5
for steps in [0, 1, 5] {
    report("launched", jvp(launched, wrt=u0)(x, steps, d).1, sum(grad(launched, wrt=u0)(x, steps) * d), (launched(x + h * d, steps) - launched(x - h * d, steps)) / (2 * h))
    report("backward", jvp(backward, wrt=u0)(x, steps, d).1, sum(grad(backward, wrt=u0)(x, steps) * d), (backward(x + h * d, steps) - backward(x - h * d, steps)) / (2 * h))
    report("swapped", jvp(swapped, wrt=u0)(x, steps, d).1, sum(grad(swapped, wrt=u0)(x, steps) * d), (swapped(x + h * d, steps) - swapped(x - h * d, steps)) / (2 * h))
    report("until", jvp(until, wrt=u0)(x, steps, d).1, sum(grad(until, wrt=u0)(x, steps) * d), (until(x + h * d, steps) - until(x - h * d, steps)) / (2 * h))
    report("nested", jvp(nested, wrt=u0)(x, steps, d).1, sum(grad(nested, wrt=u0)(x, steps) * d), (nested(x + h * d, steps) - nested(x - h * d, steps)) / (2 * h))
    report("saved", jvp(saved, wrt=u0)(x, steps, d).1, sum(grad(saved, wrt=u0)(x, steps) * d), (saved(x + h * d, steps) - saved(x - h * d, steps)) / (2 * h))
    report("twice", jvp(twice, wrt=u0)(x, steps, d).1, sum(grad(twice, wrt=u0)(x, steps) * d), (twice(x + h * d, steps) - twice(x - h * d, steps)) / (2 * h))
}
