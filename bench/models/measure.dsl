# What the models beside this file share: numbers to begin with, the same in the peers, and what is said of times and results.

## A number from -0.5 to 0.5 that looks random
fn noise(seed: int, i: int) -> f64 = f64((i * 7919 + seed * 104729) % 10007) / 10007.0 - 0.5

## An array of such numbers, from -scale to scale
fn weights(seed: int, scale: f64, n: int) -> f32[n] = [f32(2 * scale * noise(seed, i)) for i in 0:n]
fn weights(seed: int, scale: f64, n: int, m: int) -> f32[n, m] = [f32(2 * scale * noise(seed, i * m + j)) for i in 0:n, j in 0:m]
fn weights(seed: int, scale: f64, n: int, m: int, k: int) -> f32[n, m, k] = [f32(2 * scale * noise(seed, (i * m + j) * k + l)) for i in 0:n, j in 0:m, l in 0:k]

## What peers are compared by: how large an array is, and its sum in a direction
fn tell(what: str, x: f32[n]) { print("check", what, sqrt(sum(f64(v)^2 for v in x)), sum(f64(x[i]) * noise(99, i) for i in 0:n)) }
fn tell(what: str, x: f32[n, m]) { tell(what, flatten(x)) }
fn tell(what: str, x: f32[n, m, k]) { tell(what, reshape(x, n * m * k)) }
fn tell(what: str, x: f64[n]) { print("check", what, sqrt(sum(x^2)), sum(x[i] * noise(99, i) for i in 0:n)) }

## Whether a difference over 2 h agrees with the derivative along the same direction; f32 has few digits for it
fn agree(difference: f64, slope: f64, least: f64) {
    let error = abs(difference - slope) / max(abs(slope), 1e-12)
    print("agrees with differences:", error < least)
    if not (error < least) { print("difference", difference, "gradient", slope) }
}

## The sum of x in a direction
fn along(seed: int, x: f32[n]) -> f64 = sum(f64(x[i]) * noise(seed, i) for i in 0:n)
fn along(seed: int, x: f32[n, m]) -> f64 = sum(f64(x[i, j]) * noise(seed, i * m + j) for i in 0:n, j in 0:m)
fn along(seed: int, x: f32[n, m, k]) -> f64 = sum(f64(x[i, j, l]) * noise(seed, (i * m + j) * k + l) for i in 0:n, j in 0:m, l in 0:k)

## The median of times in milliseconds; the first is none
fn report(what: str, took: f64[n]) {
    if n > 1 { print(what, 1000 * median(took[1:])) }
}
