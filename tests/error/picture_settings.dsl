let x = [0.0, 1.0]
plot("a.png", x, x, style="wiggly")
plot("a.png", x, [x, x], style="line, dashd")
plot(x, x, log="z")
plot("a.jpg", x, x)
image("b.png", [[1.0, 2.0]], colors="viridiss")
scatter("c", x, x)
hist(x, bins=3, log="q")
fn quiet(words: str) { plot("a.png", [1.0], [2.0], style=words) }
plot("a.PNG", x, [x, x], style="line; dots", log="xy")
contour("x.pdf", [[1.0, 2.0], [3.0, 4.0]])
