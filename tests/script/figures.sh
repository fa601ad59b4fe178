# Figures of panels and layers: each kind is drawn, compiled and interpreted; what is wrong is told, nothing is left.
. "$ROOT/tests/script/lib.inc"
command -v gnuplot >/dev/null || { echo "SKIPPED: no gnuplot"; exit 0; }
TMPDIR=$PWD/tmp
mkdir -p tmp
export TMPDIR
cat >all.dsl <<'E'
let t = linspace(0.0, 10.0, 200)
let y = exp(-0.3 * t) * cos(2 * t)
let f = figure("fit.png", rows=2, width=800, height=600, title="A {damped} \"oscillation\"", share="x")
panel(f, title="above", ylabel="x (m)")
band(f, t, y - 0.1, y + 0.1, name="95 %")
plot(f, t, y, name="model", color="#c04000")
errorbars(f, t[::20], y[::20], full(0.05, 10), name="measured")
errorbars(f, t[::20], y[::20], full(0.05, 10), full(0.1, 10), color="red")
scatter(f, t[::10], y[::10])
annotate(f, 4.0, 0.6, "second maximum", to=(3.1, 0.4))
annotate(f, 4.0, -0.6, "no arrow")
panel(f, xlabel="t (s)", ylabel="residual")
plot(f, t, y, style="points")
rule(f, "y", 0.0)
rule(f, "x", 5.0, color="red")
draw(f)
let x = linspace(-2.0, 2.0, 41)
let v = linspace(-1.5, 1.5, 31)
let z = [a * exp(-a^2 - b^2) for b in v, a in x]
let g = figure("maps.svg", rows=2, columns=2, width=1200, height=900)
image(g, x, v, z)
contour(g, x, v, z, levels=8)
quiver(g, x[::4], v[::4], [-b for b in v[::4], a in x[::4]], [a for b in v[::4], a in x[::4]])
panel(g, equal=true)
filled(g, x, v, z, levels=8, colors="diverging")
contour(g, x, v, z, levels=[-0.2, 0.0, 0.2], color="black")
limits(g, "c", -0.5, 0.5)
panel(g)
for k in 0:3 { boxplot(g, f64(k), randn(k + 1, 200) * (k + 1)) }
ticks(g, "x", [0.0, 1.0, 2.0], ["small", "medium", "large"])
ticks(g, "y", [-5.0, 0.0, 5.0])
panel(g)
surface(g, x, v, z)
draw(g)
let h = figure("log.png", columns=2, share="y")
hist(h, randn(2, 1000), bins=25)
panel(h, log="xy")
plot(h, 0.5^arange(1, 12), 0.25^arange(1, 12), style="linespoints")
limits(h, "x", 1e-4, 1.0)
limits(h, "y", 1e-8, 1e3)
draw(h)
for name in ["wave.gif", "wave.png"] {
    let a = figure(name, width=300, height=200, delay=8)
    for k in 0:4 {
        panel(a, xlabel="x")
        plot(a, t, sin(t - 2 * pi * k / 4))
        limits(a, "y", -1.2, 1.2)
        frame(a)
    }
    draw(a)
}
streamlines("lines.png", x, v, [-b for b in v, a in x], [a for b in v, a in x], density=0.6)
print("drawn")
E
for how in run interp; do
    rm -f ./*.png ./*.svg ./*.gif
    expect 0 drawn "$DSLC" $how all.dsl
    for f in fit.png maps.svg log.png lines.png wave.gif wave.png; do [ -s $f ] || { ls; echo "no $f"; exit 1; }; done
    [ -z "$(ls tmp)" ] || { ls tmp; echo "left over"; exit 1; }
    grep -q acTL wave.png || { echo "wave.png does not move"; exit 1; }
    [ "$(grep -aoE 'fcTL' wave.png | wc -l)" = 4 ] || { echo "wave.png has other frames"; exit 1; }
done
DSL_FIGURES=$PWD/figures
mkdir figures
export DSL_FIGURES
expect 0 drawn "$DSLC" run all.dsl
unset DSL_FIGURES
ls figures | grep -q '1.svg' && ls figures | grep -q '4.png' || { ls figures; exit 1; }
grep -q 'measured' figures/1.txt || { cat figures/1.txt; exit 1; }
wrong() { # message, program
    printf 'let f = figure("no.png", columns=2)\n%s\n' "$2" >t.dsl
    for how in run interp; do expect 1 "$1" "$DSLC" $how t.dsl; done
    [ ! -e no.png ] && [ -z "$(ls tmp)" ] || { ls . tmp; echo "left over"; exit 1; }
}
wrong 'the figure shows nothing' 'draw(f)'
wrong 'it has only 2 panels' 'for k in 0:3 { panel(f)
plot(f, [0.0, 1.0], [0.0, 1.0]) }
draw(f)'
wrong "no colour is called 'pink'" 'plot(f, [0.0, 1.0], [0.0, 1.0], color="pink")
draw(f)'
wrong "no style is called 'wavy'" 'plot(f, [0.0, 1.0], [0.0, 1.0], style="wa" + "vy")
draw(f)'
wrong 'limits must ascend' 'limits(f, "x", 1.0, 0.0)
draw(f)'
wrong "'q' names no axis" 'limits(f, "q", 0.0, 1.0)
draw(f)'
wrong 'an animation needs two frames' 'plot(f, [0.0, 1.0], [0.0, 1.0])
frame(f)
draw(f)'
wrong 'a logarithmic x axis has no place for 0 and less' 'panel(f, log="x")
plot(f, [0.0, 1.0], [0.0, 1.0])
draw(f)'
wrong 'x must have even steps' 'image(f, [0.0, 1.0, 5.0], [0.0, 1.0], zeros(f64, 2, 3))
draw(f)'
printf 'let f = figure("once.png")\nplot(f, [0.0, 1.0], [0.0, 1.0])\ndraw(f)\ndraw(f)\n' >t.dsl
expect 1 'this figure is drawn already' "$DSLC" run t.dsl
# Dark: light lines on a dark ground, in every format; in a page the picture follows its reader.  Texts at an axis that
# would meet are turned, which takes room; narrow surfaces and logarithmic axes have fewer numbers.
cat >dark.dsl <<'E'
fn draws(path: str, dark: bool, labels: str[n]) {
    let f = figure(path, columns=2, width=500, height=300, title="night", dark=dark)
    panel(f, title="left", xlabel="group", log="y")
    plot(f, [1.0, 2.0, 3.0], [1e-9, 1.0, 1e9], name="a", color="black")
    annotate(f, 1.5, 1.0, "here", to=(2.0, 1.0))
    rule(f, "y", 1.0, color="blue")
    ticks(f, "x", [1.0, 2.0, 3.0], labels)
    panel(f, title="right")
    surface(f, linspace(0.0, 1.0, 9), linspace(0.0, 1.0, 9), [x * y for x in linspace(0.0, 1.0, 9), y in linspace(0.0, 1.0, 9)])
    draw(f)
}
let short = ["a", "b", "c"]
let long = ["the first group", "the second", "the third of them"]
for dark in [false, true] {
    draws(f"short-{dark}.png", dark, short)
    draws(f"long-{dark}.png", dark, long)
    draws(f"all-{dark}.svg", dark, long)
    let g = figure(f"all-{dark}.gif", width=200, height=150, dark=dark)
    for k in 0:2 {
        plot(g, [0.0, 1.0], [0.0, f64(k)])
        frame(g)
    }
    draw(g)
}
E
cat >pixels.dsl <<'E'
# The lowest row in which much of the left half is a line: the frame's lower side
fn lowest(p: u8[h, w, c], ink: int) -> int {
    var row = 0
    for i in 0:h {
        if sum(int(abs(int(p[i, j, 0]) - ink) < 70) for j in 0:w // 2) > w // 8 { row = i }
    }
    return row
}
let short: u8[h, w, c] = load("short-false.png")
let long: u8[h, w, c] = load("long-false.png")
let dark: u8[h, w, c] = load("long-true.png")
print(short[0, 0, 0:3], dark[0, 0, 0:3], lowest(short, 0) - lowest(long, 0) > 20, lowest(dark, 226) == lowest(long, 0))
E
expect 0 '' "$DSLC" run dark.dsl
expect 0 '[255 255 255] [20 23 27] true true' "$DSLC" run pixels.dsl
[ -s all-true.gif ] && [ -s all-false.gif ] || { ls; exit 1; }
ground='#14171b\|rgb( *20, *23, *27)'
grep -q "$ground" all-true.svg && ! grep -q "$ground" all-false.svg || { head -c 3000 all-true.svg; exit 1; }
mkdir pages
DSL_FIGURES=$PWD/pages expect 0 '' "$DSLC" run dark.dsl
[ -s pages/1.svg ] && ! grep -q "$ground" pages/*.svg || { ls pages; exit 1; }
# Pictures of one call, too: every text is light
cat >alone.dsl <<'E'
let x = linspace(-2.0, 2.0, 11)
let z = [a * b for b in x, a in x]
plot("alone-1.svg", x, [x, x^2], title="t", xlabel="x", ylabel="y", names="a, b", dark=true)
scatter("alone-2.svg", x, x, title="t", dark=true)
hist("alone-3.svg", x, title="t", dark=true)
image("alone-4.svg", x, x, z, title="t", dark=true)
contour("alone-5.svg", x, x, z, title="t", dark=true)
quiver("alone-6.svg", x, x, z, z, title="t", dark=true)
streamlines("alone-7.svg", x, x, z, z + 1, title="t", dark=true)
E
expect 0 '' "$DSLC" run alone.dsl
for k in 1 2 3 4 5 6 7; do
    texts=$(grep -c '<text' alone-$k.svg) light=$(grep -o 'fill="rgb(226,229,233)"' alone-$k.svg | wc -l)
    grep -q "$ground" alone-$k.svg && [ "$texts" -gt 5 ] && [ "$texts" = "$light" ] || { echo "$k: $texts $light"; exit 1; }
done
# Names that need two rows stand inside the picture
cat >names.dsl <<'E'
let f = figure("names.png", width=720, height=480)
for k in 0:4 { plot(f, [0.0, 1.0], [0.0, f64(k)], name=f"cluster {k}") }
draw(f)
let p: u8[h, w, c] = load("names.png")
print(all(p[0:4] == 255))
E
expect 0 'true' "$DSLC" run names.dsl
# A million points take seconds.
cat >many.dsl <<'E'
let x = arange(1000000) * 1e-5
let f = figure("many.png")
plot(f, x, sin(x) + 0.1 * randn(1, 1000000))
draw(f)
let g = figure("many.svg")
scatter(g, randn(2, 1000000), randn(3, 1000000))
draw(g)
E
expect 0 '' timeout 30 "$DSLC" run many.dsl
[ -s many.png ] && [ -s many.svg ] || { ls; exit 1; }
