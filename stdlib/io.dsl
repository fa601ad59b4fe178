# Files, pictures, time.  The C functions are in runtime/.

const pi = 3.141592653589793
const inf = 1e308 * 10.0

extern fn dsl_x_save(path: str, x: T[..])
extern fn dsl_x_plot_line(path: str, x: f64[n], y: T[..])
extern fn dsl_x_plot_scatter(path: str, x: f64[n], y: f64[n])
extern fn dsl_x_plot_image(path: str, z: f64[n, m], title: str)
extern fn dsl_x_plot_diverging(path: str, z: f64[n, m], title: str)
extern fn dsl_x_plot_contour(path: str, z: f64[n, m], title: str)
extern fn dsl_x_time() -> f64

## Writes an array as .npy
fn save(path: str, x: T[n]) { dsl_x_save(path, x) }
fn save(path: str, x: T[n, m]) { dsl_x_save(path, x) }
fn save(path: str, x: T[n, m, k]) { dsl_x_save(path, x) }

## Draws y over x as a line; .png or .svg by the name
fn plot(path: str, x: f64[n], y: f64[n]) { dsl_x_plot_line(path, x, y) }
## A line for each row of y, as in plot("p.png", x, [y1, y2])
fn plot(path: str, x: f64[n], y: f64[k, n]) { dsl_x_plot_line(path, x, y) }
## y over 0, 1, 2, ...
fn plot(path: str, y: f64[n]) { dsl_x_plot_line(path, [f64(i) for i in 0:n], y) }
## Without a name: plot.png
fn plot(x: f64[n], y: f64[n]) { dsl_x_plot_line("plot.png", x, y) }
fn plot(x: f64[n], y: f64[k, n]) { dsl_x_plot_line("plot.png", x, y) }
fn plot(y: f64[n]) { plot("plot.png", y) }
## Draws points
fn scatter(path: str, x: f64[n], y: f64[n]) { dsl_x_plot_scatter(path, x, y) }
## Draws an array as a picture with a colour bar; row 0 at the bottom
fn image(path: str, z: f64[n, m], title: str) { dsl_x_plot_image(path, z, title) }
fn image(path: str, z: f64[n, m]) { dsl_x_plot_image(path, z, "") }
## The same with colours that part at zero
fn image_diverging(path: str, z: f64[n, m], title: str) { dsl_x_plot_diverging(path, z, title) }
fn image_diverging(path: str, z: f64[n, m]) { dsl_x_plot_diverging(path, z, "") }
## Draws lines of equal value
fn contour(path: str, z: f64[n, m], title: str) { dsl_x_plot_contour(path, z, title) }
fn contour(path: str, z: f64[n, m]) { dsl_x_plot_contour(path, z, "") }

## Seconds since some fixed moment
fn time() -> f64 = dsl_x_time()
