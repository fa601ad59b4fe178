# %% Between what is printed
let x = linspace(0.0, 1.0, 5)
print("before")
plot(x, x^2, title="A parabola")
print("between")
plot("named.svg", x, [sin(x), cos(x)])
print("after")
x[0]
# %% Alone
image([f64(i * j) for i in 0:4, j in 0:6])
# %% Before an error {expect-error}
scatter(x, x)
assert false, "after the picture"
