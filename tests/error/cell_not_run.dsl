# RUN: notebook
# What a failed cell would have defined is said to be missing once in each cell that needs it.
let x = [1.0, 2.0
# %% Both fail by themselves
let n = 5 / nowhere
struct Pair { a: f64, b: Wrong }
export fn half(p: f64) -> f64 = 0.5 * p
var (u, v) = (1, 2)
# %% Needs x, and would define y
let y = sum(x) + x[0]
print(y, x)
print(n)
# %% Needs y, and so x
print(y)
# %% {expect-error}
half(3.0) + u
# %% Names of its own are not missing
fn twice(x: f64) -> f64 = 2.0 * x
let p: Pair = Pair(a=1.0, b=2.0)
# %% x is defined anew
let x = 3.0
x + 1.0
# %% Another error that follows from nothing
let z = x + nowhere
# %% {expect-error}
unheard_of
