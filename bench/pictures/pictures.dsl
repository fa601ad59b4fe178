# %% [markdown]
# # Pictures of each kind
# To be looked at: `make pictures` draws them at 400 and 1200 pixels, light and dark, as PNG, and this page.

arg width: int = 1200  ## of the pictures, in pixels
arg dark: bool = false ## light on dark
arg folder: str = "."  ## where they are written

# %% Curves, error bars, a band, a text with an arrow
let mode = if dark { "dark" } else { "light" }
let height = if width < 600 { width } else { width * 2 // 3 }
let t = linspace(0.0, 10.0, 200)
let model = exp(-0.3 * t) * cos(2 * t)
let ts = t[::14]
let measured = model[::14] + 0.05 * randn(1, len(ts))
let study = figure(f"{folder}/study-{mode}-{width}.png", rows=2, width=width, height=height, title="A damped oscillation", share="x", dark=dark)
panel(study, ylabel="x (m)")
band(study, t, model - 0.1, model + 0.1, name="2 sigma")
plot(study, t, model, name="model")
errorbars(study, ts, measured, full(0.05, len(ts)), name="measured")
annotate(study, 4.0, 0.6, "second maximum", to=(3.1, 0.4))
panel(study, xlabel="t (s)", ylabel="residual")
errorbars(study, ts, measured - model[::14], full(0.05, len(ts)))
rule(study, "y", 0.0)
draw(study)

# %% Styles, logarithmic axes, histograms, boxes
let four = figure(f"{folder}/four-{mode}-{width}.png", rows=2, columns=2, width=width, height=height, dark=dark)
let h = 0.5^arange(1, 8)
panel(four, title="Orders", xlabel="h", ylabel="error", log="xy")
plot(four, h, h^2, name="second", style="linespoints")
plot(four, h, h^4, name="fourth", style="dashed")
panel(four, title="Heights", xlabel="x", ylabel="number")
hist(four, randn(2, 1000), bins=25)
panel(four, title="Points", xlabel="x", ylabel="y")
for k in 0:3 { scatter(four, randn(3 + k, 60) + k, randn(7 + k, 60), name=["one", "two", "three"][k]) }
panel(four, title="Boxes", ylabel="value")
for k in 0:4 { boxplot(four, f64(k), k + randn(20 + k, 100)) }
ticks(four, "x", [0.0, 1.0, 2.0, 3.0], ["north", "east", "south", "west"])
draw(four)

# %% Images, contours, filled contours, arrows
let x = linspace(-2.0, 2.0, 41)
let y = linspace(-1.5, 1.5, 31)
let z = [a * exp(-a^2 - b^2) for b in y, a in x]
let fields = figure(f"{folder}/fields-{mode}-{width}.png", rows=2, columns=2, width=width, height=height, dark=dark)
panel(fields, title="Image with lines", xlabel="x", ylabel="y")
image(fields, x, y, z)
contour(fields, x, y, z, levels=[-0.3, -0.1, 0.1, 0.3])
panel(fields, title="Filled")
filled(fields, x, y, z, levels=8)
panel(fields, title="Lines of equal value")
contour(fields, x, y, z, levels=10)
panel(fields, title="Arrows over an image")
image(fields, x, y, z, colors="diverging")
quiver(fields, x[::4], y[::4], [-b for b in y[::4], a in x[::4]], [a for b in y[::4], a in x[::4]])
draw(fields)

# %% Streamlines and a surface
let space = figure(f"{folder}/space-{mode}-{width}.png", columns=2, width=width, height=width // 2, title="Flow and height", dark=dark)
panel(space, title="Streamlines", xlabel="x", ylabel="y")
streamlines(space, x, y, [-b for b in y, a in x], [a - 0.5 * b for b in y, a in x])
panel(space, title="Surface")
surface(space, x, y, z)
draw(space)

# %% Of one call
plot(f"{folder}/call-plot-{mode}-{width}.png", t, [model, exp(-0.3 * t)], title="A damped oscillation", xlabel="t (s)", ylabel="x (m)", names="x, envelope", style="line, dashed", dark=dark)
image(f"{folder}/call-image-{mode}-{width}.png", x, y, z, title="An image", xlabel="x", ylabel="y", colors="gray", dark=dark)
contour(f"{folder}/call-contour-{mode}-{width}.png", x, y, z, title="Contours", dark=dark)
hist(f"{folder}/call-hist-{mode}-{width}.png", randn(2, 1000), title="Heights", dark=dark)
