# Gradients of programs that keep what they compute in tables, row by row: of elements, slices, parallel loops, launches
kernel a2d_step(u: inout f64[nt, n, m], t: int, p: f64) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 and j > 0 and j < m - 1 { u[t + 1, i, j] = u[t, i, j] + p * (u[t, i - 1, j] + u[t, i + 1, j] + u[t, i, j - 1] + u[t, i, j + 1] - 4 * u[t, i, j]) * u[t, i, j] }
}
fn a2d(u0: f64[n, m], p: f64, nt: int) -> f64 {
    var u = zeros(f64, nt, n, m)
    u[0] = u0
    for t in 0:nt - 1 { launch a2d_step[(ceildiv(m, 16), ceildiv(n, 16)), (16, 16)](u, t, p) }
    return sum(u[t, i, j]^2 for t in 0:nt, i in 0:n, j in 0:m)
}
fn cols(u0: f64[n], p: f64, nt: int) -> f64 {
    var u = zeros(f64, n, nt)
    u[:, 0] = u0
    for t in 0:nt - 1 {
        u[:, t + 1] = [u[i, t] + p * sin(u[max(i - 1, 0), t]) for i in 0:n]
    }
    return sum(u[i, t]^2 for i in 0:n, t in 0:nt)
}
fn two(x0: f64[n], a: f64, b: f64, nt: int) -> f64 {
    var x = zeros(f64, nt, n)
    var y = zeros(f64, nt, n)
    x[0] = x0
    y[0] = 0.5 * x0
    for t in 0:nt - 1 {
        parallel for i in 0:n {
            x[t + 1, i] = x[t, i] + 0.01 * (a * x[t, i] - x[t, i] * y[t, i])
            y[t + 1, i] = y[t, i] + 0.01 * (x[t, i] * y[t, i] - b * y[t, i] + x[t, max(i - 1, 0)])
        }
    }
    return sum(x[t, i] * y[t, i] for t in 0:nt, i in 0:n)
}
fn hmm(A: f64[k, k], B: f64[k, m], obs: int[nt]) -> f64 {
    var alpha = zeros(f64, nt, k)
    alpha[0] = [B[j, obs[0]] / f64(k) for j in 0:k]
    for t in 1:nt {
        alpha[t] = [sum(alpha[t - 1, i] * A[i, j] for i in 0:k) * B[j, obs[t]] * 3.0 for j in 0:k]
    }
    return log(sum(alpha[nt - 1]))
}
fn rnn(W: f64[k, k], U: f64[k, m], x: f64[nt, m]) -> f64 {
    var h = zeros(f64, nt + 1, k)
    for t in 0:nt { h[t + 1] = tanh(W @ h[t] + U @ x[t]) }
    return sum(h^2)
}
fn kalman(F: f64[d, d], Q: f64[d, d], r: f64, z: f64[nt]) -> f64 {
    var P = zeros(f64, nt + 1, d, d)
    var m = zeros(f64, nt + 1, d)
    P[0] = [if i == j { 1.0 } else { 0.0 } for i in 0:d, j in 0:d]
    var ll = 0.0
    for t in 0:nt {
        let mp = F @ m[t]
        let Pp = F @ P[t] @ F.T + Q
        let s = Pp[0, 0] + r
        let e = z[t] - mp[0]
        ll -= 0.5 * (log(s) + e * e / s)
        m[t + 1] = [mp[i] + Pp[i, 0] * e / s for i in 0:d]
        P[t + 1] = [Pp[i, j] - Pp[i, 0] * Pp[0, j] / s for i in 0:d, j in 0:d]
    }
    return ll
}
fn snap(u0: f64[n], p: f64, nt: int) -> f64 {
    var u = u0
    var frames = zeros(f64, nt // 10 + 1, n)
    for t in 0:nt {
        u = [u[i] + p * sin(u[max(i - 1, 0)]) for i in 0:n]
        if t % 10 == 0 { frames[t // 10] = u }
    }
    return sum(frames[t, i]^2 for t in 0:nt // 10 + 1, i in 0:n)
}
fn while_(u0: f64[n], p: f64, nt: int) -> f64 {
    var u = zeros(f64, nt, n)
    u[0] = u0
    var t = 0
    while t < nt - 1 {
        u[t + 1] = [u[t, i] + p * sin(u[t, max(i - 1, 0)]) for i in 0:n]
        t += 1
    }
    return sum(u[t, i]^2 for t in 0:nt, i in 0:n)
}
fn back(w: f64[n], r: f64, nt: int) -> f64 {
    var v = zeros(f64, nt + 1, n)
    v[nt] = w
    for t in nt - 1:-1:-1 {
        parallel for i in 0:n { v[t, i] = max(w[i], exp(-r * 0.01) * 0.5 * (v[t + 1, max(i - 1, 0)] + v[t + 1, min(i + 1, n - 1)])) }
    }
    return v[0, n // 2] + sum(v[0])
}
fn inplace(u0: f64[n], p: f64, nt: int) -> f64 {
    var u = zeros(f64, nt, n)
    u[0] = u0
    for t in 1:nt {
        parallel for i in 0:n { u[t, i] = u[t - 1, i] }
        parallel for i in 1:n { u[t, i] += p * u[t - 1, i - 1] * u[t, i] }
    }
    return sum(u[t, i]^2 for t in 0:nt, i in 0:n)
}
fn lag(u0: f64[n], p: f64, nt: int) -> f64 {
    var u = zeros(f64, nt, n)
    u[0] = u0
    for t in 1:nt {
        u[t] = [u[t - 1, i] + p * u[max(t - 5, 0), i] * u[t - 1, max(i - 1, 0)] for i in 0:n]
    }
    return sum(u[t, i]^2 for t in 0:nt, i in 0:n)
}
fn ring(u0: f64[n], p: f64, nt: int) -> f64 {
    var u = zeros(f64, 3, n)
    u[0] = u0
    u[1] = u0
    for t in 1:nt {
        parallel for i in 1:n - 1 { u[(t + 1) % 3, i] = 2 * u[t % 3, i] - u[(t - 1) % 3, i] + p * (u[t % 3, i - 1] - 2 * u[t % 3, i] + u[t % 3, i + 1]) }
    }
    return sum(u[nt % 3, i]^2 for i in 0:n)
}
# Fields of one table, an index beside the time; rows that only one side of a branch reads; rows and columns of one array
kernel sir_step(y: inout f64[nt, 2, n], x: f64[n], t: int) {
    let i = block.x * 4 + thread.x
    if i < n {
        let w = x[i] * y[t, 0, i] * y[t, 1, i]
        y[t + 1, 0, i] = y[t, 0, i] - w
        y[t + 1, 1, i] = y[t, 1, i] + w
    }
}
fn sir(x: f64[n], a: f64, nt: int) -> f64 {
    var y = zeros(f64, nt, 2, n)
    y[0, 0] = 1 - 0.1 * x
    y[0, 1] = a * x
    for t in 0:nt - 1 { launch sir_step[ceildiv(n, 4), 4](y, x, t) }
    return sum(y[nt - 1, 1]^2)
}
fn fields(x: f64[n], a: f64, nt: int) -> f64 {
    var u = zeros(f64, nt, 2, n)
    u[0, 0] = x
    u[0, 1] = a * x
    for t in 0:nt - 1 { parallel for i in 0:n { u[t + 1, 0, i] = sin(u[t, 1, i]); u[t + 1, 1, i] = u[t, 0, i]^2 + u[t, 1, i] } }
    return sum(u[nt - 1])
}
fn delayed(x: f64[n], a: f64, nt: int) -> f64 {
    var u = zeros(f64, nt, n)
    u[0] = x
    for t in 0:nt - 1 { parallel for i in 0:n { u[t + 1, i] = if t >= 3 { a * u[t - 3, i]^2 } else { x[i] } + 0.5 * u[t, max(i - 1, 0)] } }
    return sum(u[nt - 1])
}
fn parts(x: f64, a: f64, n: int) -> f64 {
    var c = zeros(f64, n, n)
    for i in 0:n { c[i, i] = x }
    for w in 1:n { for i in 0:n - w { c[i, i + w] = a * sum(c[i, m] * c[m + 1, i + w] for m in i:i + w) } }
    return c[0, n - 1]
}
print("a2d", a2d([sin(f64(i * j)) for i in 0:9, j in 0:7], 0.01, 8), sum(flatten(grad(a2d, wrt=(u0, p))([sin(f64(i * j)) for i in 0:9, j in 0:7], 0.01, 8))), check_grad(fn(v) => a2d((1 + v[0]) * ([sin(f64(i * j)) for i in 0:9, j in 0:7]), (1 + v[1]) * (0.01), 8), zeros(f64, 2)) < 1e-6)
print("cols", cols([sin(f64(i)) for i in 0:70], 0.1, 8), sum(flatten(grad(cols, wrt=(u0, p))([sin(f64(i)) for i in 0:70], 0.1, 8))), check_grad(fn(v) => cols((1 + v[0]) * ([sin(f64(i)) for i in 0:70]), (1 + v[1]) * (0.1), 8), zeros(f64, 2)) < 1e-6)
print("two", two([1 + 0.1 * sin(f64(i)) for i in 0:70], 0.7, 0.3, 8), sum(flatten(grad(two, wrt=(x0, a, b))([1 + 0.1 * sin(f64(i)) for i in 0:70], 0.7, 0.3, 8))), check_grad(fn(v) => two((1 + v[0]) * ([1 + 0.1 * sin(f64(i)) for i in 0:70]), (1 + v[1]) * (0.7), (1 + v[2]) * (0.3), 8), zeros(f64, 3)) < 1e-6)
print("hmm", hmm([(1.0 + f64((i * 3 + j) % 5)) / 60.0 for i in 0:5, j in 0:5], [(1.0 + f64((i + j) % 4)) / 4.0 for i in 0:5, j in 0:6], [i * 7 % 6 for i in 0:8]), sum(flatten(grad(hmm, wrt=(A, B))([(1.0 + f64((i * 3 + j) % 5)) / 60.0 for i in 0:5, j in 0:5], [(1.0 + f64((i + j) % 4)) / 4.0 for i in 0:5, j in 0:6], [i * 7 % 6 for i in 0:8]))), check_grad(fn(v) => hmm((1 + v[0]) * ([(1.0 + f64((i * 3 + j) % 5)) / 60.0 for i in 0:5, j in 0:5]), (1 + v[1]) * ([(1.0 + f64((i + j) % 4)) / 4.0 for i in 0:5, j in 0:6]), [i * 7 % 6 for i in 0:8]), zeros(f64, 2)) < 1e-6)
print("rnn", rnn([sin(f64(i * 20 + j)) / 8 for i in 0:5, j in 0:5], [cos(f64(i * 8 + j)) / 4 for i in 0:5, j in 0:8], [sin(f64(i * 8 + j)) for i in 0:8, j in 0:8]), sum(flatten(grad(rnn, wrt=(W, U))([sin(f64(i * 20 + j)) / 8 for i in 0:5, j in 0:5], [cos(f64(i * 8 + j)) / 4 for i in 0:5, j in 0:8], [sin(f64(i * 8 + j)) for i in 0:8, j in 0:8]))), check_grad(fn(v) => rnn((1 + v[0]) * ([sin(f64(i * 20 + j)) / 8 for i in 0:5, j in 0:5]), (1 + v[1]) * ([cos(f64(i * 8 + j)) / 4 for i in 0:5, j in 0:8]), [sin(f64(i * 8 + j)) for i in 0:8, j in 0:8]), zeros(f64, 2)) < 1e-6)
print("kalman", kalman([if i == j { 0.9 } else { 0.05 } for i in 0:4, j in 0:4], [if i == j { 0.1 } else { 0.0 } for i in 0:4, j in 0:4], 0.5, [sin(f64(i) / 5) for i in 0:8]), sum(flatten(grad(kalman, wrt=(F, Q, r))([if i == j { 0.9 } else { 0.05 } for i in 0:4, j in 0:4], [if i == j { 0.1 } else { 0.0 } for i in 0:4, j in 0:4], 0.5, [sin(f64(i) / 5) for i in 0:8]))), check_grad(fn(v) => kalman((1 + v[0]) * ([if i == j { 0.9 } else { 0.05 } for i in 0:4, j in 0:4]), (1 + v[1]) * ([if i == j { 0.1 } else { 0.0 } for i in 0:4, j in 0:4]), (1 + v[2]) * (0.5), [sin(f64(i) / 5) for i in 0:8]), zeros(f64, 3)) < 1e-6)
print("snap", snap([sin(f64(i)) for i in 0:70], 0.1, 8), sum(flatten(grad(snap, wrt=(u0, p))([sin(f64(i)) for i in 0:70], 0.1, 8))), check_grad(fn(v) => snap((1 + v[0]) * ([sin(f64(i)) for i in 0:70]), (1 + v[1]) * (0.1), 8), zeros(f64, 2)) < 1e-6)
print("while_", while_([sin(f64(i)) for i in 0:70], 0.1, 8), sum(flatten(grad(while_, wrt=(u0, p))([sin(f64(i)) for i in 0:70], 0.1, 8))), check_grad(fn(v) => while_((1 + v[0]) * ([sin(f64(i)) for i in 0:70]), (1 + v[1]) * (0.1), 8), zeros(f64, 2)) < 1e-6)
print("back", back([sin(f64(i)) for i in 0:70], 0.1, 8), sum(flatten(grad(back, wrt=(w, r))([sin(f64(i)) for i in 0:70], 0.1, 8))), check_grad(fn(v) => back((1 + v[0]) * ([sin(f64(i)) for i in 0:70]), (1 + v[1]) * (0.1), 8), zeros(f64, 2)) < 1e-6)
print("inplace", inplace([sin(f64(i)) for i in 0:70], 0.1, 8), sum(flatten(grad(inplace, wrt=(u0, p))([sin(f64(i)) for i in 0:70], 0.1, 8))), check_grad(fn(v) => inplace((1 + v[0]) * ([sin(f64(i)) for i in 0:70]), (1 + v[1]) * (0.1), 8), zeros(f64, 2)) < 1e-6)
print("lag", lag([sin(f64(i)) for i in 0:70], 0.001, 8), sum(flatten(grad(lag, wrt=(u0, p))([sin(f64(i)) for i in 0:70], 0.001, 8))), check_grad(fn(v) => lag((1 + v[0]) * ([sin(f64(i)) for i in 0:70]), (1 + v[1]) * (0.001), 8), zeros(f64, 2)) < 1e-6)
print("ring", ring([sin(f64(i)) for i in 0:70], 0.1, 8), sum(flatten(grad(ring, wrt=(u0, p))([sin(f64(i)) for i in 0:70], 0.1, 8))), check_grad(fn(v) => ring((1 + v[0]) * ([sin(f64(i)) for i in 0:70]), (1 + v[1]) * (0.1), 8), zeros(f64, 2)) < 1e-6)
print("sir", sir([0.1 * f64(i + 1) for i in 0:6], 0.3, 5), sum(flatten(grad(sir, wrt=(x, a))([0.1 * f64(i + 1) for i in 0:6], 0.3, 5))), check_grad(fn(v) => sir(v[0:6], v[6], 5), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.3]) < 1e-6)
print("fields", sum(flatten(grad(fields, wrt=(x, a))([0.1 * f64(i + 1) for i in 0:6], 0.3, 5))), check_grad(fn(v) => fields(v[0:6], v[6], 5), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.3]) < 1e-6)
print("delayed", sum(flatten(grad(delayed, wrt=(x, a))([0.1 * f64(i + 1) for i in 0:6], 0.3, 8))), check_grad(fn(v) => delayed(v[0:6], v[6], 8), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.3]) < 1e-6)
print("parts", sum(flatten(grad(parts, wrt=(x, a))(0.9, 0.7, 6))), check_grad(fn(v) => parts(v[0], v[1], 6), [0.9, 0.7]) < 1e-6)
