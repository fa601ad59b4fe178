# Differential equations that are solved until something happens.

## Where and when a solution stopped, or ended: the rows of the times until then, the time, the state, whether it stopped
struct Stopped { rows: f64[k, n], t: f64, y: f64[n], stopped: bool }

# Between y and the next one `stop` crosses zero at this part of the step; 2: nowhere. `before` is what it was at y.
# Looked at in quarters, so that most of what crosses twice is seen. The derivative of the part is that of the place where stop is 0.
fn _event_part(stop: fn(f64, f64[n]) -> f64, t: f64, y: f64[n], next: f64[n], k: f64[7, n], h: f64, before: f64, direction: int) -> (f64, f64) {
    var last = before
    var part = 2.0
    for q in 1:5 {
        let now = stop(t + q / 4 * h, _dopri_between(y, next, k, h, q / 4))
        let crosses = (last < 0 and now >= 0 and direction >= 0) or (last > 0 and now <= 0 and direction <= 0)
        if crosses and part > 1 {
            let from = (q - 1) / 4
            let first = stop(t + from * h, _dopri_between(y, next, k, h, from))
            part = if first * now > 0 { from } else { root(fn(u) => stop(t + u * h, _dopri_between(y, next, k, h, u)), from, q / 4) }
        }
        last = now
    }
    return (part, last)
}

# The same place, as a function of what stop sees: the change of stop at it, by its slope along the step
fn _event_place(stop: fn(f64, f64[n]) -> f64, t: f64, y: f64[n], next: f64[n], k: f64[7, n], h: f64, part: f64) -> f64 {
    let d = 1e-6
    let up = stop(t + (part + d) * h, _dopri_between(y, next, k, h, part + d))
    let down = stop(t + (part - d) * h, _dopri_between(y, next, k, h, part - d))
    let slope = stop_gradient((up - down) / (2 * d))
    let value = stop(t + part * h, _dopri_between(y, next, k, h, part))
    return if slope == 0 { part } else { part - (value - stop_gradient(value)) / slope }
}

## The solution of y' = f(t, y) with y = y0 at times[0], as ode finds it, until stop(t, y) crosses zero: direction 1, only from below, -1 only from
## above; what is 0 at the start has not crossed. Steps are as long as the solution allows: what crosses twice within a fourth of one is not seen
fn ode_until(f: fn(f64, f64[n]) -> f64[n], y0: f64[n], times: f64[m], stop: fn(f64, f64[n]) -> f64, direction: int = 0, rtol: f64 = 1e-6, atol: f64 = 1e-9) -> Stopped {
    assert m > 0, "ode_until without times"
    assert all(times[max(i - 1, 0)] <= times[i] for i in 0:m), "ode_until: the times rise"
    assert direction >= -1 and direction <= 1, f"ode_until: a direction is -1, 0 or 1, here it is {direction}"
    var out = zeros(f64, m, n)
    var t = times[0]
    var y = y0
    var slope = f(t, y)
    var value = stop(t, y)
    var done = 1
    var stopped = false
    out[0] = y0
    let end = times[m - 1]
    var h = _first_step(y, slope, end - t, rtol, atol)
    while done < m and not stopped {
        if times[done] <= t {
            out[done] = y
            done += 1
            continue
        }
        let (next, k) = _dopri(f, t, y, slope, h)
        let e = _dopri_error(y, next, k, h, rtol, atol)
        assert h > 1e-14 * abs(t) and h > 0, f"ode_until: the step at t = {t} is too small: the problem is stiff, or its solution ends there"
        let factor = _step_factor(e)
        if e <= 1 {
            let (found, last) = _event_part(stop, t, y, next, k, h, value, direction)
            let part = stop_gradient(found)
            stopped = part <= 1 and t + part * h <= end
            let until = if stopped { t + part * h } else { t + h }
            while done < m and times[min(done, m - 1)] <= until {
                out[done] = _dopri_between(y, next, k, h, (times[done] - t) / h)
                done += 1
            }
            if stopped {
                let place = _event_place(stop, t, y, next, k, h, part)
                y = _dopri_between(y, next, k, h, place)
                t += place * h
            } else {
                t += h
                y = next
            }
            slope = k[6]
            value = last
        }
        h *= factor
    }
    if not stopped {
        t = end
        y = out[m - 1]
    }
    return Stopped(out[:done], t, y, stopped)
}
