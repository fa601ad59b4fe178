# What the programs beside this one share: numbers to begin with, and what is said of times and differences.

## Half of the distance between the two points of a difference
const h = 1e-5

## A number from -0.5 to 0.5 that looks random
fn noise(seed: int, i: int) -> f64 = f64((i * 7919 + seed * 104729) % 10007) / 10007.0 - 0.5

## Whether a difference over 2 h agrees with the derivative along the same direction
fn agree(difference: f64, slope: f64) {
    let error = abs(difference / (2 * h) - slope) / abs(slope)
    print("agrees with differences:", error < 1e-6)
    if not (error < 1e-6) { print("difference", difference / (2 * h), "gradient", slope) }
}

## The median of times; the first is none
fn report(what: str, took: f64[n]) {
    if n > 1 { print(what, median(took[1:])) }
}
