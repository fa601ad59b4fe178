# Pictures: each kind of plot makes its file, compiled and interpreted; settings that do not fit; figures for notebooks
. "$ROOT/tests/script/lib.inc"
command -v gnuplot >/dev/null || exit 0
cat >p.dsl <<'EOF2'
let x = linspace(0.0, 6.0, 200)
plot("several.png", x, [sin(x), cos(x), 0.5 * x])
plot("one.png", x, sin(x))
plot("index.svg", cos(x))
plot(x, sin(x)^2)
scatter("points.png", rand(1, 100), rand(2, 100))
let z = [[f64(i - j) for i in 0:20] for j in 0:10]
image("image.png", z, "title")
image_diverging("diverging.png", z)
contour("contour.svg", z)
let u = linspace(-2.0, 2.0, 17)
let v = linspace(-1.0, 1.0, 9)
quiver("quiver.png", u, v, [-b for b in v, a in u], [a for b in v, a in u])
image("extent.png", u, v, [a * b for b in v, a in u], colors="gray", xlabel="a", ylabel="b")
contour("levels.png", u, v, [a^2 + b^2 for b in v, a in u], levels=5, equal=true)
hist("hist.png", randn(1, 1000), bins=20, density=true)
hist("tails.png", [1.0, 1.0, 9.0], bins=5, log="y")
hist("same.png", [2.0, 2.0, inf, 0.0 * inf])
plot("pairs.png", (x, sin(x)), ([1.0, 2.0], [0.8, 0.9]), style="line, points", names="exact, measured")
plot("loglog.png", [1.0, 10.0], [[0.1, 0.01], [0.3, 0.003]], log="xy", style="linespoints")
plot("flat.png", [1.0, 1.0], [2.0, 2.0], log="y", style="bars")
hist(randn(2, 10))
EOF2
names="several.png one.png index.svg plot.png points.png image.png diverging.png contour.svg quiver.png extent.png levels.png
hist.png tails.png same.png pairs.png loglog.png flat.png plot-2.png"
for how in run interp; do
    expect 0 "" "$DSLC" $how p.dsl
    for f in $names; do
        [ -s $f ] || { echo "no $f"; exit 1; }
        rm $f
    done
done
[ "$(ls | grep -v '^out$')" = "$(printf 'p.dsl\nshown')" ] || { ls; exit 1; }

# Whatever stands in a text is only shown.
cat >text.dsl <<'EOF2'
let x = [0.0, 1.0]
plot("text.svg", x, [x, 2*x], title="it's {/:Bold \"a\"}_2 \\ %d `touch 1` $(touch 2) @x é < & >\n'; system 'touch 3' #", xlabel="back\\",
     names="'a' `touch 4`, b^2 \x01")
plot("|touch 5.svg", x, x)
plot("'; system \"touch 6\"; '.svg", x, x)
EOF2
expect 0 "" "$DSLC" run text.dsl
ls | grep '^[1-6]$' && { echo "a text was obeyed"; exit 1; }
[ -s '|touch 5.svg' ] || { ls; exit 1; }
for text in "it's {/:Bold \"a\"}_2 \\ %d" '`touch 1` $(touch 2) @x é &lt; &amp; >' "system 'touch 3'" 'back\' "'a' \`touch 4\`"; do
    grep -qF -e "$text" text.svg || { echo "no $text in the picture"; grep '<text' text.svg; exit 1; }
done

# Numbers at axes: powers of ten where they would be long, none with e
cat >ticks.dsl <<'EOF2'
let x = linspace(0.0, 8.0, 30)
plot("powers.svg", x, exp(-3.0 * x), log="y", title="1e-06")
plot("small.svg", 0.000001 * x, 1000000.0 * x)
plot("plain.svg", x + 1.0, 1000.0 * x + 1.0, log="xy")
EOF2
expect 0 "" "$DSLC" run ticks.dsl
words() { sed -n '/<text>/s/<[^>]*>//gp' $1.svg | tr -d ' \t' | tr '\n' ' '; }
for want in 'powers:10-10 ' 'powers:10-2 ' 'powers:1e-06 ' 'small:2×10-6 ' 'small:5×106 ' 'small:0 ' 'plain:1 ' 'plain:1000 ' 'plain:10 '; do
    words ${want%%:*} | grep -qF -e "${want#*:}" || { echo "no ${want#*:} in $(words ${want%%:*})"; exit 1; }
done
printf 'let x = linspace(0.0, 1000000.0, 9)\nplot("wide.svg", x, x)\nplot("alike.svg", x / 10000 + 1000000, x)\nimage("area.svg", x, x, [[a * b for a in x] for b in x])' >wide.dsl
expect 0 "" "$DSLC" run wide.dsl
for want in 'wide:1×106 0 200000 400000 600000 800000 1×106' 'alike:1×106 1000000 1000020 1000040 1000060 1000080 1000100' 'area:0 200000 400000 600000 800000 1×106 0'; do
    words ${want%%:*} | tr -s ' ' | grep -qF -e "${want#*:}" || { echo "not ${want#*:}, but $(words ${want%%:*})"; exit 1; }
done

# Room: fewer numbers where a picture is narrow or low, its bar of colours beside it and as long as the values go, what is missing in a
# colour of its own, contours at places with many digits
cat >room.dsl <<'EOF2'
image("tall.svg", [f64(i + j) for i in 0:100, j in 0:12])
image("low.svg", [f64(i + j) for i in 0:10, j in 0:100])
image("row.svg", [[1.0, 2.0, 5.3]])
image("square.svg", zeros(f64, 192, 192))
image("hole.svg", [[1.0, 0.0 / 0.0], [2.0, 3.0]])
image("below.svg", [[1.0, -1.0 / 0.0], [2.0, 3.0]])
contour("far.svg", linspace(1000000.0, 1000010.0, 20), linspace(0.0, 1.0, 20), [f64(i * j) for i in 0:20, j in 0:20])
let x = [0.0, 1.0]
plot("legend.svg", x, [x, 2 * x], names="exact, upwind")
EOF2
expect 0 "" "$DSLC" run room.dsl
for want in 'tall:0 20 40 60 80 0 10 0 20' 'low:0 5 0 20 40' 'row:2 2.5 1 2 3 4 5 ' 'square:180 0 50 100 150' 'far:1000000 1000002 1000004'; do
    words ${want%%:*} | tr -s ' ' | grep -qF -e "${want#*:}" || { echo "not ${want#*:}, but $(words ${want%%:*})"; exit 1; }
done
grep -q 'rgb(176, 176, 176)' hole.svg && ! grep -q 'rgb(176, 176, 176)' row.svg || { echo "no colour for what is missing"; exit 1; }
for f in hole below; do grep -v "<title>" $f.svg >$f.drawn; done; cmp hole.drawn below.drawn || exit 1
[ "$(grep -c "<path stroke='rgb" far.svg)" -gt 5 ] || { echo "no lines far from 0"; exit 1; }
at() { sed -n "/translate/h;/<text>$1</{x;s/.*translate(\([0-9]*\).*/\1/p}" legend.svg; }
[ $(($(at upwind) - $(at exact))) -ge 125 ] || { echo "no room for names in a narrow page: $(at exact) $(at upwind)"; exit 1; }
for f in row tall; do grep -q '<image' $f.svg || { echo "no image in $f.svg"; exit 1; }; done
for f in small plain; do ! words $f | grep -qE 'e[-+]?[0-9]' || { words $f; exit 1; }; done

# Names of curves: with commas in them, a separator behind the last, and below the title
cat >names.dsl <<'EOF2'
let x = [0.0, 1.0]
plot("commas.svg", x, [x, 2*x], names="D=0.05, n=24; exact", title="Above")
plot("both.svg", x, [x, 2*x], names="a, b;; c ; d;;")
plot("single.svg", x, x, names="one;; two, three")
plot("behind.svg", x, [x, 2*x], names="one, two,", style="line; points")
EOF2
expect 0 "" "$DSLC" run names.dsl
words commas | grep -qF 'Above D=0.05,n=24 exact' || { words commas; exit 1; }
words both | grep -qF 'a,b;c d;' || { words both; exit 1; }
words behind | grep -qF 'one two' || { words behind; exit 1; }
height() { sed -n "/translate/h;/<text>.*$1/{x;s/.*translate([^,]*,\([0-9]*\).*/\1/p}" commas.svg; }
[ "$(height Above)" -lt "$(height exact)" ] || { echo "title at $(height Above), names at $(height exact)"; exit 1; }

# What cannot be drawn
fails() { # code, what the message says, program
    printf 'let x = [1.0, 2.0]\nlet none = zeros(f64, 0)\nlet nan = 0.0 * inf\n%s\n' "$3" >bad.dsl
    for how in run interp; do
        expect 1 "$2" "$DSLC" $how bad.dsl
        grep -q "^bad.dsl:4:[0-9]*: error.$1." shown || { cat shown; exit 1; }
    done
}
fails E0622 "cannot draw 'a.png': x is empty" 'plot("a.png", none, none)'
fails E0622 "cannot draw 'plot.png': y has no finite value" 'plot(x, [nan, inf])'
fails E0622 "the array has no finite value" 'image("a.png", [[nan]])'
fails E0622 "the array is empty" 'image("a.png", zeros(f64, 0, 3))'
fails E0622 "u is empty" 'quiver("a.png", none, none, zeros(f64, 0, 0), zeros(f64, 0, 0))'
fails E0622 "x must have even steps" 'image("a.png", [1.0, 2.0, 4.0], x, ones(f64, 2, 3))'
fails E0622 "y must ascend" 'contour("a.png", x, [2.0, 1.0], ones(f64, 2, 2))'
fails E0622 "contours need at least 2 rows and 2 columns" 'contour("a.png", [x])'
fails E0622 "No such file or directory" 'plot("no/such/a.png", x, x)'
fails E0621 "'a.gif' is no name of a picture" 'plot("a.gif", x, x)'
fails E0623 "a logarithmic y axis has no place for 0.0" 'plot(x, x - 1, log="y")'
fails E0623 "no style is called 'lnie'" 'plot(x, x, style="lnie")'
fails E0623 "no style is called ''" 'plot(x, [x, x], style="line,")'
fails E0623 "2 styles for 3 curves" 'plot(x, [x, x, x], style="line, points")'
fails E0623 "3 names for 2 curves" 'plot(x, [x, x], names="a, b, c")'
fails E0623 "'z' names no axes" 'plot(x, x, log="z")'
fails E0623 "no colors are called 'hot'" 'image([x], colors="hot")'
fails E0623 "0 levels" 'contour([x, x], levels=0)'
fails E0606 "sizes do not match" 'plot("a.png", x[0:int(x[0])], x)'
[ ! -e a.png ] || { echo "a picture of nothing"; exit 1; }
expect 1 "cannot start gnuplot" env PATH=/nowhere "$DSLC" interp p.dsl

# DSL_FIGURES: K.svg and K.txt for each picture; only there when it has no name
mkdir figures
cat >f.dsl <<'EOF2'
plot("kept.png", [0.5, 1.0], [1.0, 2.0], title="A\nline", ylabel="y")
plot([1.0, 2.0], [[1.0, 0.1], [2.0, 0.2]], names="a, b", style="points, line", log="y")
image([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
plot(linspace(0.0, 1.0, 5000))
EOF2
expect 0 "" env DSL_FIGURES=figures "$DSLC" run f.dsl
[ "$(echo $(ls figures))" = "1.at 1.svg 1.txt 2.at 2.svg 2.txt 3.at 3.svg 3.txt 4.at 4.svg 4.txt" ] || { ls figures; exit 1; }
[ -s kept.png ] && [ ! -e plot.png ] || { ls; exit 1; }
for k in 1 2 3 4; do ! grep -q 'color="black"\|fill="black"\|background' figures/$k.svg || { echo "black in $k.svg"; exit 1; }; done
cat >want <<'EOF2'
kept.png
plot
title: A line
y axis: y
curve (line): 2 points, x 0.5 to 1.0, y 1.0 to 2.0
0.5 1.0
1.0 2.0

plot
logarithmic y
curve a (points): 2 points, x 1.0 to 2.0, y 0.1 to 1.0
1.0 1.0
2.0 0.1
curve b (line): 2 points, x 1.0 to 2.0, y 0.2 to 2.0
1.0 2.0
2.0 0.2

image
2 rows, 3 columns, viridis; x 0.0 to 2.0, y 0.0 to 1.0, values 1.0 to 6.0
1.0 2.0 3.0 4.0 5.0 6.0
EOF2
cat figures/[123].txt | diff -u want - || exit 1
[ "$(wc -l <figures/4.txt)" = 203 ] && [ "$(tail -1 figures/4.txt)" = "4999.0 1.0" ] || { tail -3 figures/4.txt; exit 1; }
expect 0 "" env DSL_FIGURES=figures "$DSLC" interp f.dsl
for k in 1 2 3 4; do cmp figures/$k.txt figures/$((k + 4)).txt || exit 1; done
# Many points are no SVG.
mkdir more
printf 'plot(rand(1, 30000))\nplot([1.0, 2.0])\n' >many.dsl
expect 0 "" env DSL_FIGURES=more "$DSLC" run many.dsl
[ -s more/1.png ] && [ -s more/2.svg ] && [ ! -e more/1.svg ] || { ls more; exit 1; }
expect 1 "nowhere: No such file or directory" env DSL_FIGURES=nowhere "$DSLC" run f.dsl

# A million points take seconds, as lines, marks and bars, in one curve or many; what cannot be seen is not in the file.
cat >million.dsl <<'EOF3'
let n = 1000000
let x = linspace(1.0, 2.0, n)
plot("noise.svg", x, randn(1, n))
plot("noise.png", x, randn(1, n), style="linespoints", names="a")
plot("walk.png", cumsum(randn(2, n)), cumsum(randn(1, n)))
plot("dots.svg", (x, rand(1, n)), (randn(3, n), randn(4, n)), style="linespoints, points", names="a, b")
plot("bars.png", x, rand(1, n), style="bars", log="xy")
plot("rows.png", linspace(0.0, 1.0, 1000), rand(1, 1000, 1000))
quiver("arrows.svg", arange(1000), arange(1000), rand(1, 1000, 1000), rand(2, 1000, 1000))
EOF3
expect 0 "" timeout 100 "$DSLC" run million.dsl
[ "$(wc -c <noise.svg)" -lt 300000 ] || { wc -c noise.svg; exit 1; }
for f in noise.png walk.png dots.svg bars.png rows.png arrows.svg; do [ -s $f ] || { echo "no $f"; exit 1; }; done
[ "$(grep -c '<text>a</text>' dots.svg)" = 1 ] || { echo "names of thinned curves"; exit 1; }

# gnuplot ends with the program, however that ends.
mkdir bin
printf '#!/bin/sh\necho $$ >%s/drawing\nexec sleep 100\n' "$PWD" >bin/gnuplot
chmod +x bin/gnuplot
echo 'plot("p.png", [1.0, 2.0], [1.0, 2.0])' >slow.dsl
"$DSLC" build slow.dsl
gone() { # process: within a few seconds
    for i in $(seq 50); do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -9 "$1"
    echo "gnuplot lives on after $signal ($how)"
    exit 1
}
for signal in KILL TERM INT; do
    for how in "./slow" "$DSLC interp slow.dsl" "$DSLC notebook slow.dsl"; do
        [ "$signal $how" != "INT $DSLC notebook slow.dsl" ] || continue # it leaves that to the cell
        rm -f drawing
        PATH=$PWD/bin:$PATH env --default-signal=INT $how >/dev/null 2>&1 &
        pid=$!
        for i in $(seq 100); do
            [ -s drawing ] && break
            sleep 0.1
        done
        [ -s drawing ] || { echo "gnuplot is not started ($how)"; exit 1; }
        kill -$signal $pid
        wait $pid
        gone "$(cat drawing)"
    done
done
exit 0
