let before = "the first marker"
print(before)
# %% [markdown]
# # Outputs
#
# A cell prints, shows its last value, and draws.
# %% Printed and a value
let x = linspace(0.0, 1.0, 5)
print("x is", x)
sum(x)
# %%
_ * 2.0
# %% Nothing
let quiet = 3

# %% A long array
[i * i for i in 0:2000]
# %% Text
print("")
print("  two blanks, a tab\tand | letters of the file: = ! ~ : %%")
print("é, 中")
"text"
#%% No blank behind the hash
1
# %% [markdown] {}
# Code that follows prose without a marker is a cell, as it would run with the script.
let after_prose = 2
after_prose
# %% Structs and functions
struct Point { x: f64, y: f64 }
## The distance from the origin
fn norm(p: Point) -> f64 = sqrt(p.x^2 + p.y^2)
let p = Point(3.0, 4.0)
norm(p)
# %% An if that prints, and one that has a value
if after_prose > 1 { print("more") } else { print("less") }
# %%
if after_prose > 1 { 1 } else { 2 }
# %% Not run {no-run}
nonsense that is not run
# %% Empty
