# %% [markdown]
# # Rows and `columns`
#
# Prose with *emphasis*, a [link](https://example.org/?a=1&b=2), $x_i^2$, and a price of $5 or $6.
#
# $$\sum_{i=0}^{n-1} x_i$$
#
# - <b>markup</b> is text <!-- but for comments -->
#
# <div>so is
# this</div>
#
# ![a picture of the web](https://example.org/x.png) and ![none](none.png)
#
# `$code$` and
#
# ```
# $ ls $HOME
# ```
#
# ## Results & errors
# %% First
const n = 3 # rows
let x = linspace(0.0, 1.0, n)
print("a < b & c", x[0])
x^2
# %% [markdown]
# ## Results & errors
# %% {hide-code}
let y = x + zeros(f64, 7)
# %% {expect-error}
z
# %% {no-run}
print("\"never\"")
