# Figures: pictures of panels and layers, which are begun, told what they show, and drawn (runtime/panel.c).

extern fn dsl_x_figure(path: str, rows: int, columns: int, width: int, height: int, title: str, share: str, delay: int, dark: bool) -> int
extern fn dsl_x_panel(f: int, title: str, xlabel: str, ylabel: str, log: str, equal: bool)
extern fn dsl_x_limits(f: int, axis: str, low: f64, high: f64)
extern fn dsl_x_ticks(f: int, axis: str, at: f64[n], labels: str[m])
extern fn dsl_x_curve(f: int, x: f64[n], y: f64[n], name: str, style: str, color: str)
extern fn dsl_x_errorbars(f: int, x: f64[n], y: f64[n], dx: f64[m], dy: f64[n], name: str, color: str)
extern fn dsl_x_band(f: int, x: f64[n], low: f64[n], high: f64[n], name: str, color: str)
extern fn dsl_x_note(f: int, x: f64, y: f64, text: str, tx: f64, ty: f64)
extern fn dsl_x_rule(f: int, axis: str, at: f64, color: str)
extern fn dsl_x_box(f: int, x: f64, values: f64[n], width: f64, color: str)
extern fn dsl_x_colors(f: int, x: f64[m], y: f64[n], z: f64[n, m], colors: str, levels: int)
extern fn dsl_x_levels(f: int, x: f64[m], y: f64[n], z: f64[n, m], levels: f64[k], color: str)
extern fn dsl_x_arrows(f: int, x: f64[m], y: f64[n], u: f64[n, m], v: f64[n, m], color: str)
extern fn dsl_x_surface(f: int, x: f64[m], y: f64[n], z: f64[n, m], colors: str, turn: f64, tilt: f64)
extern fn dsl_x_frame(f: int)
extern fn dsl_x_draw(f: int)

struct Figure { id: int }

## Begins a figure of rows x columns panels, of so many pixels; share="x", "y" or "xy": panels have one range, whose numbers
## stand once; delay between the frames of an animation, in hundredths of a second; dark: light lines and texts on a dark ground.
## draw(f) draws it.
fn figure(path: str = "", rows: int = 1, columns: int = 1, width: int = 720, height: int = 480, title: str = "",
          share: str = "", delay: int = 5, dark: bool = false) -> Figure =
    Figure(dsl_x_figure(path, rows, columns, width, height, title, share, delay, dark))
## Begins the next panel, from left to right and from top to bottom, or says more of the first
fn panel(f: Figure, title: str = "", xlabel: str = "", ylabel: str = "", log: str = "", equal: bool = false) {
    dsl_x_panel(f.id, title, xlabel, ylabel, log, equal)
}
## The ends of axis "x" or "y", or of the colours, "c"
fn limits(f: Figure, axis: str, low: f64, high: f64) { dsl_x_limits(f.id, axis, low, high) }
## Where the numbers, or texts, of an axis stand
fn ticks(f: Figure, axis: str, at: f64[n]) { dsl_x_ticks(f.id, axis, at, zeros(str, 0)) }
fn ticks(f: Figure, axis: str, at: f64[n], labels: str[n]) { dsl_x_ticks(f.id, axis, at, labels) }
## Adds a curve; colors are blue, red, green, purple, orange, cyan, gray, black or "#c04000", the next one unless told
fn plot(f: Figure, x: f64[n], y: f64[n], name: str = "", style: str = "line", color: str = "") {
    dsl_x_curve(f.id, x, y, name, style, color)
}
fn scatter(f: Figure, x: f64[n], y: f64[n], name: str = "", color: str = "") { dsl_x_curve(f.id, x, y, name, "points", color) }
## Points with bars from y - dy to y + dy, and from x - dx to x + dx
fn errorbars(f: Figure, x: f64[n], y: f64[n], dy: f64[n], name: str = "", color: str = "") {
    dsl_x_errorbars(f.id, x, y, zeros(f64, 0), dy, name, color)
}
fn errorbars(f: Figure, x: f64[n], y: f64[n], dy: f64[n], dx: f64[n], name: str = "", color: str = "") {
    dsl_x_errorbars(f.id, x, y, dx, dy, name, color)
}
## The area between two curves
fn band(f: Figure, x: f64[n], low: f64[n], high: f64[n], name: str = "", color: str = "") {
    dsl_x_band(f.id, x, low, high, name, color)
}
## A text that begins at x, y; with an arrow from there to a place
fn annotate(f: Figure, x: f64, y: f64, text: str) { dsl_x_note(f.id, x, y, text, nan, nan) }
fn annotate(f: Figure, x: f64, y: f64, text: str, to: (f64, f64)) { dsl_x_note(f.id, x, y, text, to.0, to.1) }
## A dashed line across the panel, at a place of axis "x" or "y"
fn rule(f: Figure, axis: str, at: f64, color: str = "gray") { dsl_x_rule(f.id, axis, at, color) }
## A box plot at x: median, middle half, whiskers of at most 1.5 of it, and the values outside
fn boxplot(f: Figure, x: f64, values: f64[n], width: f64 = 0.5, color: str = "") { dsl_x_box(f.id, x, values, width, color) }
## How many values lie in each of `bins` equal intervals
fn hist(f: Figure, x: f64[n], bins: int = 30, name: str = "", color: str = "", density: bool = false) {
    let (lo, hi) = _plot_ends(x)
    let width = (hi - lo) / bins
    let count = histogram(x, lo, hi, bins)
    let unit = if density { sum(count) * width } else { 1.0 }
    dsl_x_curve(f.id, [lo + (i + 0.5) * width for i in 0:bins], [count[i] / unit for i in 0:bins], name, "bars", color)
}
## z[i, j] at x[j], y[i] as colours
fn image(f: Figure, x: f64[m], y: f64[n], z: f64[n, m], colors: str = "viridis") { dsl_x_colors(f.id, x, y, z, colors, 0) }
fn image(f: Figure, z: f64[n, m], colors: str = "viridis") {
    dsl_x_colors(f.id, [f64(j) for j in 0:m], [f64(i) for i in 0:n], z, colors, 0)
}
## The same in bands of equal values
fn filled(f: Figure, x: f64[m], y: f64[n], z: f64[n, m], levels: int = 10, colors: str = "viridis") {
    dsl_x_colors(f.id, x, y, z, colors, levels)
}
## Lines of equal value: so many, or those
fn contour(f: Figure, x: f64[m], y: f64[n], z: f64[n, m], levels: int = 10, color: str = "") {
    let lo = min(where(isfinite(z), z, inf))
    let hi = max(where(isfinite(z), z, -inf))
    dsl_x_levels(f.id, x, y, z, [lo + (hi - lo) * (k + 1) / (levels + 1) for k in 0:max(levels, 0)], color)
}
fn contour(f: Figure, x: f64[m], y: f64[n], z: f64[n, m], levels: f64[k], color: str = "") {
    dsl_x_levels(f.id, x, y, z, levels, color)
}
## Arrows (u[i, j], v[i, j]) at x[j], y[i]
fn quiver(f: Figure, x: f64[m], y: f64[n], u: f64[n, m], v: f64[n, m], color: str = "") { dsl_x_arrows(f.id, x, y, u, v, color) }
# The direction at the part (a, b) of the way across and up, of length 1 where both are; nan where nothing flows
fn _flow(x: f64[m], y: f64[n], u: f64[n, m], v: f64[n, m], a: f64, b: f64) -> (f64, f64) {
    let (width, height) = (x[m - 1] - x[0], y[n - 1] - y[0])
    let (row, column) = (_between(y[0] + b * height, y), _between(x[0] + a * width, x))
    let (p, q) = (_on_grid(u, row, column) / width, _on_grid(v, row, column) / height)
    return (p / hypot(p, q), q / hypot(p, q))
}
# Lines along (u, v), as points with nan between the lines: no two of them through one of the cells x cells cells
fn _streamlines(x: f64[m], y: f64[n], u: f64[n, m], v: f64[n, m], cells: int) -> (f64[found], f64[found]) {
    const step = 0.004
    const longest = 600
    let room = 4 * longest
    var across = zeros(f64, 100 * room)
    var up = zeros(f64, 100 * room)
    var owner = zeros(int, cells, cells)
    var found = 0
    for seed in 0:cells * cells {
        let (i, j) = (seed * 7919 % (cells * cells) // cells, seed * 7919 % (cells * cells) % cells)
        if owner[i, j] == 0 and found + room < len(up) {
            let begin = found
            for way in 0:2 {
                let sense = if way == 0 { 1.0 } else { -1.0 }
                var (a, b) = ((j + 0.5) / cells, (i + 0.5) / cells)
                var (row, column) = (i, j)
                owner[i, j] = seed + 1
                var turn = 0
                while turn < longest {
                    across[found] = a
                    up[found] = b
                    found += 1
                    turn += 1
                    let (p, q) = _flow(x, y, u, v, a, b)
                    let (r, s) = _flow(x, y, u, v, clamp(a + sense * step / 2 * p, 0, 1), clamp(b + sense * step / 2 * q, 0, 1))
                    a += sense * step * r
                    b += sense * step * s
                    if a >= 0 and a <= 1 and b >= 0 and b <= 1 {
                        let (i1, j1) = (min(int(b * cells), cells - 1), min(int(a * cells), cells - 1))
                        if i1 != row or j1 != column {
                            row = i1
                            column = j1
                            if owner[i1, j1] != 0 { turn = longest }
                            owner[i1, j1] = if owner[i1, j1] != 0 { owner[i1, j1] } else { seed + 1 }
                        }
                    } else { turn = longest }
                }
                across[found] = nan
                up[found] = nan
                found += 1
            }
            if (found - begin) * step < 0.15 {
                found = begin
                owner[owner == seed + 1] = 0
            } else {
                let (p, q) = _flow(x, y, u, v, across[begin], up[begin])
                across[found:found + 4] = [across[begin] - 0.012 * p + 0.007 * q, across[begin], across[begin] - 0.012 * p - 0.007 * q, nan]
                up[found:found + 4] = [up[begin] - 0.012 * q - 0.007 * p, up[begin], up[begin] - 0.012 * q + 0.007 * p, nan]
                found += 4
            }
        }
    }
    return (x[0] + across[0:found] * (x[m - 1] - x[0]), y[0] + up[0:found] * (y[n - 1] - y[0]))
}
## Lines along the vectors (u[i, j], v[i, j]) at x[j], y[i], which rise; density: 2 for lines half as far apart
fn streamlines(f: Figure, x: f64[m], y: f64[n], u: f64[n, m], v: f64[n, m], density: f64 = 1.0, name: str = "", color: str = "") {
    assert _rising(x) and _rising(y), "streamlines: x and y rise"
    assert density > 0 and density <= 10, f"streamlines: a density of {density}"
    let (across, up) = _streamlines(x, y, u, v, max(int(25 * density), 1))
    dsl_x_curve(f.id, across, up, name, "line", color)
    dsl_x_limits(f.id, "x", x[0], x[m - 1])
    dsl_x_limits(f.id, "y", y[0], y[n - 1])
}
## Draws them alone
fn streamlines(path: str, x: f64[m], y: f64[n], u: f64[n, m], v: f64[n, m], title: str = "", xlabel: str = "", ylabel: str = "",
               density: f64 = 1.0, dark: bool = false) {
    let f = figure(path, dark=dark)
    panel(f, title, xlabel, ylabel)
    streamlines(f, x, y, u, v, density)
    draw(f)
}
fn streamlines(x: f64[m], y: f64[n], u: f64[n, m], v: f64[n, m], title: str = "", xlabel: str = "", ylabel: str = "",
               density: f64 = 1.0, dark: bool = false) {
    streamlines("", x, y, u, v, title, xlabel, ylabel, density, dark)
}
## z[i, j] above x[j], y[i] as a surface in space, seen from `turn` degrees around and `tilt` from above
fn surface(f: Figure, x: f64[m], y: f64[n], z: f64[n, m], colors: str = "viridis", turn: f64 = 35.0, tilt: f64 = 60.0) {
    dsl_x_surface(f.id, x, y, z, colors, turn, tilt)
}
## What was told so far is a frame of an animation (.gif, .png); the next frame begins
fn frame(f: Figure) { dsl_x_frame(f.id) }
## Draws the figure
fn draw(f: Figure) { dsl_x_draw(f.id) }
