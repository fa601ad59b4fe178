# Minima, by derivatives: f is differentiated where it is used, so it may be anything that has a gradient.
# Nocedal and Wright, Numerical Optimization, 2nd edition, 2006, is meant where chapters are named.

## Where f is least, from x0 by steps against the gradient, rate * grad(f); over where no part of the gradient is above tol
fn gradient_descent(f: fn(f64[n]) -> f64, x0: f64[n], rate: f64 = 0.01, steps: int = 1000, tol: f64 = 0.0) -> f64[n] {
    assert rate > 0, f"gradient_descent: the rate is positive, here it is {rate}"
    let slope = grad(f)
    var x = x0
    for t in 0:steps {
        let g = slope(x)
        if all(abs(g) <= tol) { break }
        x -= rate * g
    }
    return x
}

## The same with steps of about the size `rate` in each direction, by running means of the gradient and its square
## (Kingma and Ba, "Adam: a method for stochastic optimization", 2015)
fn adam(f: fn(f64[n]) -> f64, x0: f64[n], rate: f64 = 0.001, steps: int = 1000, beta1: f64 = 0.9, beta2: f64 = 0.999,
        tol: f64 = 0.0) -> f64[n] {
    assert rate > 0, f"adam: the rate is positive, here it is {rate}"
    let slope = grad(f)
    var x = x0
    var mean1 = zeros(f64, n)
    var mean2 = zeros(f64, n)
    for t in 0:steps {
        let g = slope(x)
        if all(abs(g) <= tol) { break }
        mean1 = beta1 * mean1 + (1 - beta1) * g
        mean2 = beta2 * mean2 + (1 - beta2) * g * g
        x -= rate / (1 - beta1^(t + 1)) * mean1 / (sqrt(mean2 / (1 - beta2^(t + 1))) + 1e-8)
    }
    return x
}

# From x along d, which goes down: how far, with value and gradient there, so that both have become less by enough (the
# conditions of Wolfe); 0 where rounding leaves no such place.  By doubling and halving (Lewis and Overton,
# "Nonsmooth optimization via quasi-Newton methods", 2013, algorithm 2.6)
fn _wolfe(f: fn(f64[n]) -> f64, x: f64[n], value: f64, d: f64[n], down: f64, first: f64) -> (f64, f64, f64[n]) {
    var near = 0.0
    var far = inf
    var t = first
    for turn in 0:60 {
        let (v, g) = value_and_grad(f)(x + t * d)
        let fell = v <= value + 1e-4 * t * down
        if fell and sum(g * d) >= 0.9 * down { return (t, v, g) }
        if fell { near = t } else { far = t }
        t = if isfinite(far) { (near + far) / 2 } else { 2 * t }
    }
    return (0.0, value, d)
}

## Where f is least, from x0: the method of Broyden, Fletcher, Goldfarb and Shanno that remembers the last `memory` steps (chapter 7.2). Over where no
## part of the gradient is above tol, or rounding ends it. For smooth functions of few or many variables.
fn lbfgs(f: fn(f64[n]) -> f64, x0: f64[n], tol: f64 = 1e-8, turns: int = 1000, memory: int = 10) -> f64[n] {
    assert memory > 0, f"lbfgs remembers one step at least, here {memory}"
    var x = x0
    var (value, g) = value_and_grad(f)(x0)
    assert isfinite(value), f"lbfgs: f(x0) is {value}"
    var steps = zeros(f64, memory, n)
    var turned = zeros(f64, memory, n)
    var kept = 0
    for turn in 0:turns {
        if all(abs(g) <= tol) { break }
        var d = -g
        var part = zeros(f64, memory)
        for k in 0:min(kept, memory) {
            let i = (kept - 1 - k) % memory
            part[i] = sum(steps[i] * d) / sum(steps[i] * turned[i])
            d -= part[i] * turned[i]
        }
        let last = (kept + memory - 1) % memory
        d *= if kept > 0 { sum(steps[last] * turned[last]) / sum(turned[last]^2) } else { min(1.0, 1 / sum(abs(g))) }
        for k in max(kept - memory, 0):kept {
            let i = k % memory
            d += (part[i] - sum(turned[i] * d) / sum(steps[i] * turned[i])) * steps[i]
        }
        let down = sum(d * g)
        let (t, v, next) = if down < 0 { _wolfe(f, x, value, d, down, 1.0) } else { (0.0, value, g) }
        if t == 0 {
            if kept == 0 { break }
            kept = 0
            continue
        }
        steps[kept % memory] = t * d
        turned[kept % memory] = next - g
        kept += if sum(d * (next - g)) > 0 { 1 } else { 0 }
        x += t * d
        value = v
        g = next
    }
    return x
}

# The step of Newton's method, inexactly: conjugate gradients on products with the hessian, until they point downhill well enough or
# the curvature is negative (algorithm 7.1)
fn _newton_step(f: fn(f64[n]) -> f64, x: f64[n], g: f64[n]) -> f64[n] {
    let size = sqrt(sum(g * g))
    let enough = min(0.5, sqrt(size)) * size
    var z = zeros(f64, n)
    var r = g
    var d = -g
    var rr = size^2
    for k in 0:2 * n + 10 {
        let b = hvp(f)(x, d)
        let curvature = sum(d * b)
        if not (curvature > 0) { return if k == 0 { d } else { z } }
        let a = rr / curvature
        z += a * d
        r += a * b
        let next = sum(r * r)
        if sqrt(next) <= enough { return z }
        d = next / rr * d - r
        rr = next
    }
    return z
}

## Where f is least, from x0: Newton's method with conjugate gradients, which needs products with the hessian (hvp) and no matrix.
## Few turns near the minimum, each of several gradients.
fn newton_cg(f: fn(f64[n]) -> f64, x0: f64[n], tol: f64 = 1e-8, turns: int = 200) -> f64[n] {
    var x = x0
    var (value, g) = value_and_grad(f)(x0)
    assert isfinite(value), f"newton_cg: f(x0) is {value}"
    for turn in 0:turns {
        if all(abs(g) <= tol) { break }
        let d = _newton_step(f, x, g)
        let down = sum(d * g)
        var t = 1.0
        while t > 1e-16 and not (f(x + t * d) <= value + 1e-4 * t * down) { t /= 2 }
        let (v, next) = value_and_grad(f)(x + t * d)
        if t <= 1e-16 or (v == value and max(abs(next)) >= max(abs(g))) { break }
        x += t * d
        value = v
        g = next
    }
    return x
}

## Where the sum of squares of what r gives is least, from x0: the method of Levenberg (1944) and Marquardt (1963), for fits: r(p) is what the
## model with parameters p differs by from each of the measurements. The jacobian is that of r; the damping is Nielsen's ("Damping parameter in
## Marquardt's method", 1999). Over where no part of the gradient is above tol, or steps are below rounding.
fn levenberg_marquardt(r: fn(f64[n]) -> f64[m], x0: f64[n], tol: f64 = 1e-10, turns: int = 200) -> f64[n] {
    var x = x0
    var off = r(x0)
    var value = sum(off^2)
    assert isfinite(value), f"levenberg_marquardt: the sum of squares at x0 is {value}"
    var damping = -1.0
    var growth = 2.0
    for turn in 0:turns {
        let j = jacobian(r)(x)
        let g = j.T @ off
        if all(abs(g) <= tol) { break }
        let a = j.T @ j
        let scale = [max(a[i, i], 1e-300) for i in 0:n]
        if damping < 0 { damping = 1e-3 }
        var done = false
        while not done {
            let d = solve(a + damping * [if i == k { scale[i] } else { 0.0 } for i in 0:n, k in 0:n], -g)
            let next = r(x + d)
            let fell = value - sum(next^2)
            let hoped = sum(d * (damping * scale * d - g))
            if fell > 0 {
                x += d
                off = next
                value -= fell
                damping *= max(1 / 3, 1 - (2 * fell / hoped - 1)^3)
                growth = 2.0
                done = true
            } else {
                damping *= growth
                growth *= 2
            }
            if all(abs(d) <= 1e-15 * (abs(x) + 1e-15)) or damping > 1e100 { return x }
        }
    }
    return x
}
