# Steepest descent as the GradBench programs particle and saddle want it

## Where `f` is least, from `start` on along its gradient `slope`: the step doubles after ten that lead down, and is halved
## after one that does not.
fn least(f: fn(f64[n]) -> f64, slope: fn(f64[n]) -> f64[n], start: f64[n]) -> f64[n] {
    var x = start
    var fx = f(x)
    var g = slope(x)
    var eta = 1e-5
    var down = 0
    while norm(g) > 1e-5 {
        if down == 10 {
            eta *= 2
            down = 0
        } else {
            let next = x - eta * g
            if norm(x - next) <= 1e-5 { break }
            let fnext = f(next)
            if fnext < fx {
                x = next
                fx = fnext
                g = slope(x)
                down += 1
            } else {
                eta /= 2
                down = 0
            }
        }
    }
    return x
}

## Where `f` is greatest
fn greatest(f: fn(f64[n]) -> f64, slope: fn(f64[n]) -> f64[n], start: f64[n]) -> f64[n] =
    least(fn(x: f64[n]) => -f(x), fn(x: f64[n]) => -slope(x), start)

## Gradients forward, along each axis
fn forward(f: fn(f64[n]) -> f64, x: f64[n]) -> f64[n] {
    var slope = zeros(f64, n)
    for k in 0:n { slope[k] = jvp(f)(x, [f64(i == k) for i in 0:n]).1 }
    return slope
}
