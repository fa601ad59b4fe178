# %% [markdown]
# # What goes wrong is shown where it occurs
# %% Found while compiling {expect-error}
let x = linspace(0.0, 1.0, 5)
print("never printed")
x[7]
# %% Found while running {expect-error}
let x = linspace(0.0, 1.0, 5)
var i = 3
print("printed before")
let k = i + len(x)
print(x[k])
# %% The variables are as before {expect-error}
i
# %% A warning is not a failure
fn spare(n: int) -> int { return n }
let used = spare(2)
fn main() { print("never called") }
# %% In two lines, one below the other {expect-error}
undefined_one + 1
undefined_two + 2
# %% Text and messages in order {expect-error}
print("first")
assert 1 > 2, "one is not greater"
print("never")
# %% A function defined anew {hide-code}
fn twice(x: f64) -> f64 = 2.0 * x
fn four(x: f64) -> f64 = twice(twice(x))
# %%
fn twice(x: f64) -> f64 = x + x
four(1.0)
# %% Syntax {expect-error}
let = 3
# %% Endless recursion {expect-error}
fn down(n: int) -> int { return down(n + 1) + 1 }
down(0)
