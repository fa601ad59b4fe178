# Pictures, drawn by gnuplot (runtime/plot.c).
#
# Each kind has forms with the file's name first, and without: then the pictures are plot.png, plot-2.png and so on, or stand only in the notebook.

extern fn dsl_x_plot(path: str, x: f64[k, n], y: f64[k, n], title: str, xlabel: str, ylabel: str, names: str, style: str, log: str, equal: bool, dark: bool)
extern fn dsl_x_image(path: str, x: f64[m], y: f64[n], z: f64[n, m], title: str, xlabel: str, ylabel: str, colors: str, equal: bool, dark: bool)
extern fn dsl_x_contour(path: str, x: f64[m], y: f64[n], z: f64[n, m], title: str, xlabel: str, ylabel: str, levels: int, equal: bool, dark: bool)
extern fn dsl_x_quiver(path: str, x: f64[m], y: f64[n], u: f64[n, m], v: f64[n, m], title: str, xlabel: str, ylabel: str, dark: bool)

## Draws y over x; the file ends in .png or .svg. `names` and `style` are for all curves, or lists with commas: names="sin, cos";
## with semicolons, where a name has a comma: names="a=1, b=2; exact".
## Styles: line, points, linespoints, dashed, dots, bars. log="x", "y" or "xy": logarithmic axes. equal=true: one scale for x and y.
## dark=true: light lines and texts on a dark ground.
fn plot(path: str, x: f64[n], y: f64[n], title: str = "", xlabel: str = "", ylabel: str = "",
        names: str = "", style: str = "line", log: str = "", equal: bool = false, dark: bool = false) {
    dsl_x_plot(path, [x], [y], title, xlabel, ylabel, names, style, log, equal, dark)
}
fn plot(x: f64[n], y: f64[n], title: str = "", xlabel: str = "", ylabel: str = "",
        names: str = "", style: str = "line", log: str = "", equal: bool = false, dark: bool = false) {
    dsl_x_plot("", [x], [y], title, xlabel, ylabel, names, style, log, equal, dark)
}
## y over 0, 1, 2, ...
fn plot(path: str, y: f64[n], title: str = "", xlabel: str = "", ylabel: str = "",
        names: str = "", style: str = "line", log: str = "", equal: bool = false, dark: bool = false) {
    dsl_x_plot(path, [[f64(i) for i in 0:n]], [y], title, xlabel, ylabel, names, style, log, equal, dark)
}
fn plot(y: f64[n], title: str = "", xlabel: str = "", ylabel: str = "",
        names: str = "", style: str = "line", log: str = "", equal: bool = false, dark: bool = false) {
    dsl_x_plot("", [[f64(i) for i in 0:n]], [y], title, xlabel, ylabel, names, style, log, equal, dark)
}
## A curve for each row of y, as in plot(x, [y1, y2])
fn plot(path: str, x: f64[n], y: f64[k, n], title: str = "", xlabel: str = "", ylabel: str = "",
        names: str = "", style: str = "line", log: str = "", equal: bool = false, dark: bool = false) {
    dsl_x_plot(path, [x[i] for r in 0:k, i in 0:n], y, title, xlabel, ylabel, names, style, log, equal, dark)
}
fn plot(x: f64[n], y: f64[k, n], title: str = "", xlabel: str = "", ylabel: str = "",
        names: str = "", style: str = "line", log: str = "", equal: bool = false, dark: bool = false) {
    dsl_x_plot("", [x[i] for r in 0:k, i in 0:n], y, title, xlabel, ylabel, names, style, log, equal, dark)
}
## A curve for each row of x and y
fn plot(path: str, x: f64[k, n], y: f64[k, n], title: str = "", xlabel: str = "", ylabel: str = "",
        names: str = "", style: str = "line", log: str = "", equal: bool = false, dark: bool = false) {
    dsl_x_plot(path, x, y, title, xlabel, ylabel, names, style, log, equal, dark)
}
fn plot(x: f64[k, n], y: f64[k, n], title: str = "", xlabel: str = "", ylabel: str = "",
        names: str = "", style: str = "line", log: str = "", equal: bool = false, dark: bool = false) {
    dsl_x_plot("", x, y, title, xlabel, ylabel, names, style, log, equal, dark)
}
## Two curves with points of their own: plot((x1, y1), (x2, y2))
fn plot(path: str, a: (f64[n], f64[n]), b: (f64[m], f64[m]), title: str = "", xlabel: str = "", ylabel: str = "",
        names: str = "", style: str = "line", log: str = "", equal: bool = false, dark: bool = false) {
    dsl_x_plot(path, _plot_rows(a.0, b.0), _plot_rows(a.1, b.1), title, xlabel, ylabel, names, style, log, equal, dark)
}
fn plot(a: (f64[n], f64[n]), b: (f64[m], f64[m]), title: str = "", xlabel: str = "", ylabel: str = "",
        names: str = "", style: str = "line", log: str = "", equal: bool = false, dark: bool = false) {
    dsl_x_plot("", _plot_rows(a.0, b.0), _plot_rows(a.1, b.1), title, xlabel, ylabel, names, style, log, equal, dark)
}

## Draws points
fn scatter(path: str, x: f64[n], y: f64[n], title: str = "", xlabel: str = "", ylabel: str = "",
        names: str = "", log: str = "", equal: bool = false, dark: bool = false) {
    dsl_x_plot(path, [x], [y], title, xlabel, ylabel, names, "points", log, equal, dark)
}
fn scatter(x: f64[n], y: f64[n], title: str = "", xlabel: str = "", ylabel: str = "",
        names: str = "", log: str = "", equal: bool = false, dark: bool = false) {
    dsl_x_plot("", [x], [y], title, xlabel, ylabel, names, "points", log, equal, dark)
}

## The ends of the bins of a histogram: the least and the greatest finite value
fn _plot_ends(x: f64[n]) -> (f64, f64) {
    let lo = min(where(isfinite(x), x, inf))
    let hi = max(where(isfinite(x), x, -inf))
    let half = max(0.5, abs(lo) / 1000)
    return if lo < hi { (lo, hi) } else if isinf(lo) { (0.0, 1.0) } else { (lo - half, lo + half) }
}
## Draws how many values lie in each of `bins` equal intervals from the least to the greatest; density=true: area 1
fn hist(path: str, x: f64[n], bins: int = 30, title: str = "", xlabel: str = "", ylabel: str = "",
        density: bool = false, log: str = "", dark: bool = false) {
    _plot_histogram(path, x, bins, density, title, xlabel, ylabel, log, dark)
}
fn hist(x: f64[n], bins: int = 30, title: str = "", xlabel: str = "", ylabel: str = "",
        density: bool = false, log: str = "", dark: bool = false) {
    _plot_histogram("", x, bins, density, title, xlabel, ylabel, log, dark)
}
fn _plot_histogram(path: str, x: f64[n], bins: int, density: bool, title: str, xlabel: str, ylabel: str, log: str, dark: bool) {
    let (lo, hi) = _plot_ends(x)
    let width = (hi - lo) / bins
    let count = histogram(x, lo, hi, bins)
    let unit = if density { sum(count) * width } else { 1.0 }
    dsl_x_plot(path, [[lo + (i + 0.5) * width for i in 0:bins]], [count / unit], title, xlabel, ylabel, "", "bars", log, false, dark)
}

## Draws an array as a picture with a colour bar, row 0 at the bottom. colors="viridis", "diverging" (parted at zero), "gray"
fn image(path: str, z: f64[n, m], title: str = "", xlabel: str = "", ylabel: str = "", colors: str = "viridis", equal: bool = true, dark: bool = false) {
    dsl_x_image(path, [f64(j) for j in 0:m], [f64(i) for i in 0:n], z, title, xlabel, ylabel, colors, equal, dark)
}
fn image(z: f64[n, m], title: str = "", xlabel: str = "", ylabel: str = "", colors: str = "viridis", equal: bool = true, dark: bool = false) {
    dsl_x_image("", [f64(j) for j in 0:m], [f64(i) for i in 0:n], z, title, xlabel, ylabel, colors, equal, dark)
}
## z[i, j] at x[j], y[i], which have even steps; equal=true gives x and y one scale
fn image(path: str, x: f64[m], y: f64[n], z: f64[n, m], title: str = "", xlabel: str = "", ylabel: str = "",
        colors: str = "viridis", equal: bool = false, dark: bool = false) {
    dsl_x_image(path, x, y, z, title, xlabel, ylabel, colors, equal, dark)
}
fn image(x: f64[m], y: f64[n], z: f64[n, m], title: str = "", xlabel: str = "", ylabel: str = "",
        colors: str = "viridis", equal: bool = false, dark: bool = false) {
    dsl_x_image("", x, y, z, title, xlabel, ylabel, colors, equal, dark)
}
## image with colors="diverging"
fn image_diverging(path: str, z: f64[n, m], title: str = "") { image(path, z, title, colors="diverging") }

## Draws lines of equal value
fn contour(path: str, z: f64[n, m], title: str = "", xlabel: str = "", ylabel: str = "", levels: int = 10, equal: bool = true, dark: bool = false) {
    dsl_x_contour(path, [f64(j) for j in 0:m], [f64(i) for i in 0:n], z, title, xlabel, ylabel, levels, equal, dark)
}
fn contour(z: f64[n, m], title: str = "", xlabel: str = "", ylabel: str = "", levels: int = 10, equal: bool = true, dark: bool = false) {
    dsl_x_contour("", [f64(j) for j in 0:m], [f64(i) for i in 0:n], z, title, xlabel, ylabel, levels, equal, dark)
}
## z[i, j] at x[j], y[i], which have even steps; equal=true gives x and y one scale
fn contour(path: str, x: f64[m], y: f64[n], z: f64[n, m], title: str = "", xlabel: str = "", ylabel: str = "",
        levels: int = 10, equal: bool = false, dark: bool = false) {
    dsl_x_contour(path, x, y, z, title, xlabel, ylabel, levels, equal, dark)
}
fn contour(x: f64[m], y: f64[n], z: f64[n, m], title: str = "", xlabel: str = "", ylabel: str = "",
        levels: int = 10, equal: bool = false, dark: bool = false) {
    dsl_x_contour("", x, y, z, title, xlabel, ylabel, levels, equal, dark)
}

## Draws the vectors (u[i, j], v[i, j]) as arrows around x[j], y[i]
fn quiver(path: str, x: f64[m], y: f64[n], u: f64[n, m], v: f64[n, m], title: str = "", xlabel: str = "", ylabel: str = "", dark: bool = false) {
    dsl_x_quiver(path, x, y, u, v, title, xlabel, ylabel, dark)
}
fn quiver(x: f64[m], y: f64[n], u: f64[n, m], v: f64[n, m], title: str = "", xlabel: str = "", ylabel: str = "", dark: bool = false) {
    dsl_x_quiver("", x, y, u, v, title, xlabel, ylabel, dark)
}

# The x or y of two curves as the rows of an array; the shorter one ends in nan, which is not drawn.
fn _plot_rows(a: f64[n], b: f64[m]) -> f64[2, max(n, m)] {
    var r = full(inf - inf, 2, max(n, m))
    r[0, 0:n] = a
    r[1, 0:m] = b
    return r
}
