# Draws from distributions of which the logarithm of the density is given, but for a constant.

## What hmc gives: a row for each draw; the logarithm of the density there; how many moves were accepted, of 1; the step that was found
struct Chain { draws: f64[m, n], logp: f64[m], accepted: f64, step: f64 }

# One leapfrog step of size h from x with momentum p; g is the gradient at x: the next place and momentum, value and gradient there
fn _hmc_step(logp: fn(f64[n]) -> f64, x: f64[n], p: f64[n], g: f64[n], h: f64) -> (f64[n], f64[n], f64, f64[n]) {
    let half = p + h / 2 * g
    let y = x + h * half
    let (v, slope) = value_and_grad(logp)(y)
    return (y, half + h / 2 * slope, v, slope)
}

# The first step: doubled or halved until a leapfrog step is accepted about every other time (Hoffman and Gelman 2014, algorithm 4)
fn _hmc_first(logp: fn(f64[n]) -> f64, x: f64[n], value: f64, g: f64[n], p: f64[n]) -> f64 {
    var h = 1.0
    var direction = 0.0
    for turn in 0:60 {
        let (_, q, v, _) = _hmc_step(logp, x, p, g, h)
        let change = v - 0.5 * sum(q * q) - value + 0.5 * sum(p * p)
        let good = change > log(0.5)
        if direction == 0 { direction = if good { 1.0 } else { -1.0 } }
        if good != (direction > 0) { break }
        h *= 2^direction
    }
    return h
}

## Draws from the distribution whose density has the logarithm logp (a constant may be left out), from x0: Hamiltonian Monte Carlo
## (Neal 2011), along paths of the length `length`. In `warmup` turns, which are not kept, the step is found with which the part
## `accept` of the moves is accepted, by dual averaging (Hoffman and Gelman, "The no-U-turn sampler", 2014, algorithm 5). The
## directions should have about the same scale.
fn hmc(logp: fn(f64[n]) -> f64, x0: f64[n], draws: int, seed: int, warmup: int = 500, length: f64 = 1.5, accept: f64 = 0.8) -> Chain {
    assert draws >= 0 and warmup >= 0, f"hmc: {draws} draws after {warmup}"
    assert length > 0 and accept > 0 and accept < 1, f"hmc: a length above 0 and a part between 0 and 1, here {length} and {accept}"
    var x = x0
    var (value, g) = value_and_grad(logp)(x0)
    assert isfinite(value) and all(isfinite(g)), f"hmc: logp(x0) is {value}"
    var rows = zeros(f64, draws, n)
    var values = zeros(f64, draws)
    var taken = 0.0
    var h = _hmc_first(logp, x, value, g, [normal(seed, j) for j in 0:n])
    let anchor = log(10 * h)
    var averaged = if warmup > 0 { 0.0 } else { log(h) }
    var short = 0.0
    for t in 0:warmup + draws {
        if t >= warmup { h = exp(averaged) }
        let p0 = [normal(seed, (t + 1) * n + j) for j in 0:n]
        var (y, p, v, slope) = (x, p0, value, g)
        let jittered = length * (0.8 + 0.4 * uniform(seed xor 0x2545F491, 2 * t))
        for k in 0:clamp(int(round(jittered / h)), 1, 1000) {
            let (y1, p1, v1, g1) = _hmc_step(logp, y, p, slope, h)
            y = y1
            p = p1
            v = v1
            slope = g1
            if not isfinite(v) { break }
        }
        let change = v - 0.5 * sum(p * p) - value + 0.5 * sum(p0 * p0)
        let chance = if isfinite(v) and change > -700 { min(1.0, exp(min(change, 0.0))) } else { 0.0 }
        if uniform(seed xor 0x2545F491, 2 * t + 1) < chance {
            x = y
            value = v
            g = slope
        }
        if t < warmup {
            let m = t + 1
            short += (accept - chance - short) / (m + 10)
            h = exp(anchor - sqrt(f64(m)) / 0.05 * short)
            let weight = f64(m)^(-0.75)
            averaged = weight * log(h) + (1 - weight) * averaged
        } else {
            rows[t - warmup] = x
            values[t - warmup] = value
            taken += chance
        }
    }
    return Chain(rows, values, taken / max(draws, 1), exp(averaged))
}
