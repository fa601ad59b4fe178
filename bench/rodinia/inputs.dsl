# What the programs of this folder share: inputs by formula, and sums in which the place of an element counts.

## A number in [0, 1) for element i; another series for each (a, prime)
fn fraction(i: int, a: int, prime: int) -> f32 = f32(i * a % prime) / f32(prime)

## Sum of x[i] * (i % 1009)
fn weighted(x: f32[count]) -> f64 = sum(f64(x[i]) * f64(i % 1009) for i in 0:count)
fn weighted(x: f32[down, across]) -> f64 = sum(f64(x[i, j]) * f64((i * across + j) % 1009) for i in 0:down, j in 0:across)
