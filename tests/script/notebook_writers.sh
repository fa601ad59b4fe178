# Pages and .ipynb files beside what they should be (tests/notebook/writers/), but for style and timings
. "$ROOT/tests/script/lib.inc"
shape() { sed -e '/<style>/,/<\/style>/d' -e 's/<span>[^<]*&*[a-z;0-9]* m*s\(, kept\)*</<span>TIME</; s/run in [^<]*</run in TIME</' "$1"; }
same() { diff -u "$1" "$2" || exit 1; }
cp "$ROOT"/tests/notebook/writers/*.dsl .
for f in page formulas tables; do
    "$DSLC" notebook $f.dsl -o $f.html >shown 2>&1 || [ $f = page ] || { cat shown; exit 1; }
    shape $f.html >$f.shape
    same "$ROOT/tests/notebook/writers/$f.html" $f.shape
done
"$DSLC" notebook page.dsl -o page.ipynb >shown 2>&1
same "$ROOT/tests/notebook/writers/page.ipynb" page.ipynb
# Nothing is asked of the network but by links
! grep -oE '(src|href|url)[=(]"?[^#"][^"]*' page.html | grep -vE '^(src|href)="data:|^href="(https://example.org/|none.png)' || exit 1
