# Roots, integrals, differential equations, minima: of functions that a program gives.

## A place between a and b where f is 0; f(a) and f(b) have different signs (Brent, "An algorithm with guaranteed convergence for finding a zero of a function", 1971)
fn root(f: fn(f64) -> f64, a: f64, b: f64, tol: f64 = 1e-14) -> f64 {
    var (x0, y0) = (a, f(a))
    var (x, y) = (b, f(b))
    assert y0 * y <= 0, f"root: f({a}) is {y0} and f({b}) is {y}, which have one sign"
    var (x1, y1) = (x0, y0)
    var step = x - x0
    var before = step
    for turn in 0:200 {
        if abs(y0) < abs(y) {
            x1 = x
            x = x0
            x0 = x1
            y1 = y
            y = y0
            y0 = y1
        }
        let near = 2 * epsilon(f64) * abs(x) + tol / 2
        let half = (x0 - x) / 2
        if y == 0 or abs(half) <= near { return x }
        if abs(before) < near or abs(y1) <= abs(y) {
            before = half
            step = half
        } else {
            let s = y / y1
            var p = 2 * half * s
            var q = 1 - s
            if x1 != x0 {
                let u = y1 / y0
                let v = y / y0
                p = s * (2 * half * u * (u - v) - (x - x1) * (v - 1))
                q = (u - 1) * (v - 1) * (s - 1)
            }
            if p > 0 { q = -q } else { p = -p }
            if 2 * p < min(3 * half * q - abs(near * q), abs(before * q)) {
                before = step
                step = p / q
            } else {
                before = half
                step = half
            }
        }
        x1 = x
        y1 = y
        x += if abs(step) > near { step } else if half > 0 { near } else { -near }
        y = f(x)
        if y * y0 > 0 {
            x0 = x1
            y0 = y1
            step = x - x1
            before = step
        }
    }
    return x
}

# Gauss and Kronrod's rule of 7 and 15 points on (a, b): the integral and how far the two differ (QUADPACK, 1983)
fn _kronrod(f: fn(f64) -> f64, a: f64, b: f64) -> (f64, f64) {
    let at = [0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993945, 0.5860872354676911, 0.4058451513773972, 0.2077849550078985]
    let wk = [0.0229353220105292, 0.0630920926299786, 0.1047900103222502, 0.1406532597159259, 0.1690047266392679, 0.1903505780647854, 0.2044329400752989]
    let wg = [0.0, 0.1294849661688697, 0.0, 0.2797053914892767, 0.0, 0.3818300505051189, 0.0]
    let c = (a + b) / 2
    let h = (b - a) / 2
    let m = f(c)
    var k = 0.2094821410847278 * m
    var g = 0.4179591836734694 * m
    for i in 0:7 {
        let v = f(c - h * at[i]) + f(c + h * at[i])
        k += wk[i] * v
        g += wg[i] * v
    }
    return (k * h, abs((k - g) * h))
}

## The integral of f from a to b, which may be -inf and inf, by halving the interval where it is least sure
fn integrate(f: fn(f64) -> f64, a: f64, b: f64, tol: f64 = 1e-10) -> f64 {
    let ends = (if isinf(a) { 1 } else { 0 }) + (if isinf(b) { 2 } else { 0 })
    assert ends == 0 or a < b, f"integrate from {a} to {b}: the first end is the lower one"
    let stretched = fn(t: f64) => f(if ends == 0 { t } else if ends == 1 { b - t / (1 - t) } else if ends == 2 { a + t / (1 - t) }
                                    else { t / (1 - t * t) }) *
        (if ends == 0 { 1.0 } else if ends == 3 { (1 + t * t) / ((1 - t * t) * (1 - t * t)) } else { 1 / ((1 - t) * (1 - t)) })
    return _integrate(stretched, if ends == 0 { a } else if ends == 3 { -1.0 } else { 0.0 }, if ends == 0 { b } else { 1.0 }, tol)
}
fn _integrate(f: fn(f64) -> f64, a: f64, b: f64, tol: f64) -> f64 {
    const most = 400
    var lo = zeros(f64, most)
    var hi = zeros(f64, most)
    var part = zeros(f64, most)
    var off = zeros(f64, most)
    let (whole_part, whole_off) = _kronrod(f, a, b)
    lo[0] = a
    hi[0] = b
    part[0] = whole_part
    off[0] = whole_off
    var n = 1
    while n < most {
        let total = sum(part[k] for k in 0:n)
        if sum(off[k] for k in 0:n) <= max(tol * abs(total), 1e-300) { return total }
        let k = argmax(stop_gradient(off))
        let middle = (lo[k] + hi[k]) / 2
        let (left, left_off) = _kronrod(f, lo[k], middle)
        let (right, right_off) = _kronrod(f, middle, hi[k])
        lo[n] = middle
        hi[n] = hi[k]
        part[n] = right
        off[n] = right_off
        hi[k] = middle
        part[k] = left
        off[k] = left_off
        n += 1
    }
    let total = sum(part)
    assert sum(off) <= 1e-6 * max(abs(total), 1.0), "integrate: the integral was not found; is f finite between the ends?"
    return total
}

# One step of Dormand and Prince's pair of orders 5 and 4: the next y, and the seven slopes as rows
fn _dopri(f: fn(f64, f64[n]) -> f64[n], t: f64, y: f64[n], first: f64[n], h: f64) -> (f64[n], f64[7, n]) {
    let k1 = first
    let k2 = f(t + h / 5, y + h * (k1 / 5))
    let k3 = f(t + h * 3 / 10, y + h * (3 / 40 * k1 + 9 / 40 * k2))
    let k4 = f(t + h * 4 / 5, y + h * (44 / 45 * k1 - 56 / 15 * k2 + 32 / 9 * k3))
    let k5 = f(t + h * 8 / 9, y + h * (19372 / 6561 * k1 - 25360 / 2187 * k2 + 64448 / 6561 * k3 - 212 / 729 * k4))
    let k6 = f(t + h, y + h * (9017 / 3168 * k1 - 355 / 33 * k2 + 46732 / 5247 * k3 + 49 / 176 * k4 - 5103 / 18656 * k5))
    let next = y + h * (35 / 384 * k1 + 500 / 1113 * k3 + 125 / 192 * k4 - 2187 / 6784 * k5 + 11 / 84 * k6)
    let k7 = f(t + h, next)
    var k = zeros(f64, 7, n)
    k[0] = k1
    k[1] = k2
    k[2] = k3
    k[3] = k4
    k[4] = k5
    k[5] = k6
    k[6] = k7
    return (next, k)
}

# How far the two orders differ, in units of what is allowed
fn _dopri_error(y: f64[n], next: f64[n], k: f64[7, n], h: f64, rtol: f64, atol: f64) -> f64 {
    let e = h * (71 / 57600 * k[0] - 71 / 16695 * k[2] + 71 / 1920 * k[3] - 17253 / 339200 * k[4] + 22 / 525 * k[5] - k[6] / 40)
    return sqrt(sum((e[i] / (atol + rtol * max(abs(y[i]), abs(next[i]))))^2 for i in 0:n) / max(n, 1))
}

# Between y and the next one, at the part s of the step, by the slopes: order 4 (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.6)
fn _dopri_between(y: f64[n], next: f64[n], k: f64[7, n], h: f64, s: f64) -> f64[n] {
    let rest = [-12715105075 / 11282082432 * k[0, i] + 87487479700 / 32700410799 * k[2, i] - 10690763975 / 1880347072 * k[3, i] +
                701980252875 / 199316789632 * k[4, i] - 1453857185 / 822651844 * k[5, i] + 69997945 / 29380423 * k[6, i] for i in 0:n]
    let change = next - y
    let start = h * k[0] - change
    let close = change - h * k[6] - start
    return y + s * (change + (1 - s) * (start + s * (close + (1 - s) * h * rest)))
}

# How long the first step is, and how many times longer one is after an error e
fn _first_step(y: f64[n], slope: f64[n], span: f64, rtol: f64, atol: f64) -> f64 {
    let size = sqrt(sum((y[i] / (atol + rtol * abs(y[i])))^2 for i in 0:n))
    let speed = sqrt(sum((slope[i] / (atol + rtol * abs(y[i])))^2 for i in 0:n))
    return min(if size > 1e-5 and speed > 1e-5 { 0.01 * size / speed } else { 1e-6 }, span)
}
fn _step_factor(e: f64) -> f64 = if e == 0 { 5.0 } else if isfinite(e) { clamp(0.9 * e^(-0.2), 0.2, 5.0) } else { 0.1 }

## The solution of y' = f(t, y) with y = y0 at times[0], a row for each of the times, which rise: steps of an order of 5 as long as
## rtol and atol allow (Dormand and Prince 1980), and between them what their slopes give
fn ode(f: fn(f64, f64[n]) -> f64[n], y0: f64[n], times: f64[m], rtol: f64 = 1e-6, atol: f64 = 1e-9) -> f64[m, n] {
    assert m > 0, "ode without times"
    var out = zeros(f64, m, n)
    var t = times[0]
    var y = y0
    var slope = f(t, y)
    var done = 1
    out[0] = y0
    let span = times[m - 1] - t
    assert all(times[max(i - 1, 0)] <= times[i] for i in 0:m), "ode: the times rise"
    var h = _first_step(y, slope, span, rtol, atol)
    while done < m {
        if times[done] <= t {
            out[done] = y
            done += 1
            continue
        }
        let (next, k) = _dopri(f, t, y, slope, h)
        let e = _dopri_error(y, next, k, h, rtol, atol)
        assert h > 1e-14 * abs(t) and h > 0, f"ode: the step at t = {t} is too small: the problem is stiff, or its solution ends there"
        let factor = _step_factor(e)
        if e <= 1 {
            while done < m and times[min(done, m - 1)] <= t + h {
                out[done] = _dopri_between(y, next, k, h, (times[done] - t) / h)
                done += 1
            }
            t += h
            y = next
            slope = k[6]
        }
        h *= factor
    }
    return out
}

## The same for stiff problems: steps of Rosenbrock's kind, of order 2, which solve with the matrix of derivatives of f, found by differences
## (Shampine and Reichelt, "The MATLAB ODE suite", 1997: ode23s)
fn ode_stiff(f: fn(f64, f64[n]) -> f64[n], y0: f64[n], times: f64[m], rtol: f64 = 1e-4, atol: f64 = 1e-7) -> f64[m, n] {
    assert m > 0, "ode_stiff without times"
    assert all(times[max(i - 1, 0)] <= times[i] for i in 0:m), "ode_stiff: the times rise"
    let d = 1 / (2 + sqrt(2.0))
    let e32 = 6 + sqrt(2.0)
    var out = zeros(f64, m, n)
    var t = times[0]
    var y = y0
    var f0 = f(t, y)
    var done = 1
    out[0] = y0
    var h = min(1e-4, times[m - 1] - t)
    while done < m {
        if times[done] <= t {
            out[done] = y
            done += 1
            continue
        }
        var jac = zeros(f64, n, n)
        for j in 0:n {
            let delta = 1.5e-8 * max(abs(y[j]), atol + 1e-5)
            var moved = y
            moved[j] += delta
            jac[:, j] = (f(t, moved) - f0) / delta
        }
        let later = 1.5e-8 * max(abs(t), 1e-5)
        let by_time = (f(t + later, y) - f0) / later
        var accepted = false
        while not accepted {
            assert h > 1e-14 * abs(t) and h > 0, f"ode_stiff: the step at t = {t} is too small"
            let w = eye(n) - h * d * jac
            let k1 = solve(w, f0 + h * d * by_time)
            let f1 = f(t + h / 2, y + h / 2 * k1)
            let k2 = solve(w, f1 - k1) + k1
            let next = y + h * k2
            let f2 = f(t + h, next)
            let k3 = solve(w, f2 - e32 * (k2 - f1) - 2 * (k1 - f0) + h * d * by_time)
            let e = max(concat([0.0], abs(h / 6 * (k1 - 2 * k2 + k3)) / [atol + rtol * max(abs(y[i]), abs(next[i])) for i in 0:n]))
            if e <= 1 {
                while done < m and times[min(done, m - 1)] <= t + h {
                    let s = (times[done] - t) / h
                    out[done] = y + h * (s * (1 - s) / (1 - 2 * d) * k1 + s * (s - 2 * d) / (1 - 2 * d) * k2)
                    done += 1
                }
                t += h
                y = next
                f0 = f2
                accepted = true
            }
            h *= if e == 0 { 5.0 } else if isfinite(e) { clamp(0.8 * e^(-1 / 3), 0.2, 5.0) } else { 0.1 }
        }
    }
    return out
}

## Places and speeds of x'' = force(x), a row for each of the times 0, h, 2h, ...: leapfrog steps, which keep the energy from drifting
fn leapfrog(force: fn(f64[n]) -> f64[n], x0: f64[n], v0: f64[n], h: f64, steps: int) -> (f64[steps + 1, n], f64[steps + 1, n]) {
    assert steps >= 0, f"leapfrog with {steps} steps"
    var xs = zeros(f64, steps + 1, n)
    var vs = zeros(f64, steps + 1, n)
    var x = x0
    var v = v0
    var a = force(x)
    xs[0] = x
    vs[0] = v
    for k in 1:steps + 1 {
        v += h / 2 * a
        x += h * v
        a = force(x)
        v += h / 2 * a
        xs[k] = x
        vs[k] = v
    }
    return (xs, vs)
}

## Where f is least, from x0 downhill without derivatives (Nelder and Mead 1965)
fn minimize(f: fn(f64[n]) -> f64, x0: f64[n], tol: f64 = 1e-10, turns: int = 10000) -> f64[n] {
    assert n > 0, "minimize without variables"
    var p = [x0[j] for i in 0:n + 1, j in 0:n]
    var v = zeros(f64, n + 1)
    for i in 0:n { p[i + 1, i] += if x0[i] != 0 { 0.05 * x0[i] } else { 0.00025 } }
    for i in 0:n + 1 { v[i] = f(p[i]) }
    for turn in 0:turns {
        let order = argsort(v)
        p = [p[order[i], j] for i in 0:n + 1, j in 0:n]
        v = [v[order[i]] for i in 0:n + 1]
        if v[n] - v[0] <= tol * (abs(v[0]) + tol) and max([abs(p[i, j] - p[0, j]) for i in 0:n + 1, j in 0:n]) <= sqrt(tol) { break }
        let centre = [sum(p[i, j] for i in 0:n) / n for j in 0:n]
        let mirrored = 2 * centre - p[n]
        let value = f(mirrored)
        if value < v[0] {
            let far = 3 * centre - 2 * p[n]
            let far_value = f(far)
            p[n] = if far_value < value { far } else { mirrored }
            v[n] = min(far_value, value)
        } else if value < v[n - 1] {
            p[n] = mirrored
            v[n] = value
        } else {
            let inner = if value < v[n] { (centre + mirrored) / 2 } else { (centre + p[n]) / 2 }
            let inner_value = f(inner)
            if inner_value < min(value, v[n]) {
                p[n] = inner
                v[n] = inner_value
            } else {
                for i in 1:n + 1 {
                    p[i] = (p[0] + p[i]) / 2
                    v[i] = f(p[i])
                }
            }
        }
    }
    return p[argmin(v)]
}
