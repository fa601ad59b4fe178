# Pictures: each kind of plot makes its file, compiled and interpreted
. "$ROOT/tests/script/lib.inc"
command -v gnuplot >/dev/null || exit 0
cat >p.dsl <<'EOF'
let x = linspace(0.0, 6.0, 200)
plot("several.png", x, [sin(x), cos(x), 0.5 * x])
plot("one.png", x, sin(x))
plot("index.svg", cos(x))
plot(x, sin(x)^2)
scatter("points.png", rand(1, 100), rand(2, 100))
let z = [[f64(i - j) for i in 0:20] for j in 0:10]
image("image.png", z)
image_diverging("diverging.png", z)
contour("contour.svg", z)
EOF
for how in run interp; do
    expect 0 "" "$DSLC" $how p.dsl
    for f in several.png one.png index.svg plot.png points.png image.png diverging.png contour.svg; do
        [ -s $f ] || { echo "no $f"; exit 1; }
        rm $f
    done
done
[ "$(ls | grep -v '^out$')" = "$(printf 'p.dsl\nshown')" ] || { ls; exit 1; }
