# Cells of a notebook whose inputs did not change are not run again; those whose did are.
. "$ROOT/tests/script/lib.inc"
must() { "$@" || { echo "this does not hold: $*"; exit 1; }; }
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
# A cell that runs draws its picture anew.
mark() { for f in one two three four; do echo old >$f.svg; done; }
ran() { # names of those that ran, with any options for dslc
    these=$1
    shift
    mark
    expect 0 "" "$DSLC" notebook n.dsl -o n.html "$@"
    got=
    for f in one two three four; do [ "$(cat $f.svg)" = old ] || got="$got $f"; done
    [ "$got" = "${these:+ $these}" ] || { echo "ran:$got; expected: $these"; exit 1; }
    cp n.html "page-$#.html"
}
script() { # what n is, a comment, lines before
    printf "$3"
    cat <<E
import "half.dsl"
# %% One
let n = $1 # $2
let x = linspace(0.0, 1.0, 3)
plot("one.svg", x, x)
# %% Two
let m = 5
fn third(y: f64[k]) -> f64 = y[2]
plot("two.svg", x, x)
# %% Three
let z = [half(f64(i)) for i in 0:n]
plot("three.svg", z, z)
# %% Four
plot("four.svg", x, x * third(z))
E
}
echo 'fn half(x: f64) -> f64 = 0.5 * x' >half.dsl
script 4 a "" >n.dsl
ran "one two three four"
ran ""
script 4 comment "" >n.dsl
ran "one"              # n is what it was
script 5 comment "" >n.dsl
ran "one three four"   # z has another size
script 4 a "# a line more\n# and another\n\n" >n.dsl
ran "one three four"
ran ""
script 4 a "" >n.dsl
ran ""                 # lines moved
echo 'fn half(x: f64) -> f64 = 0.25 * x' >half.dsl
ran "one two three four" # what an import says may count everywhere
ran ""
ran "one two three four" -O1
ran "one two three four"
rm one.svg # a picture that is gone is drawn again
expect 0 "" "$DSLC" notebook n.dsl -o n.html
must [ -e one.svg ]

# ---- kept files that are damaged, or cannot be written
for f in cache/dslc/nb-*; do head -c 100 "$f" >short && mv short "$f"; done
ran "one two three four"
for f in cache/dslc/nb-*; do { head -c 60 "$f"; printf 'XXXX'; tail -c +65 "$f"; } >bad && mv bad "$f"; done
ran "one two three four"
for f in cache/dslc/nb-*; do : >"$f"; done
ran "one two three four"
ran ""
[ "$(ls cache/dslc/nb-* | wc -l)" -le 5 ] || { echo "old entries are left"; ls cache/dslc; exit 1; }
: >notadir
XDG_CACHE_HOME=$PWD/notadir ran "one two three four"

# ---- places in messages are right after lines moved
lines() {
    printf "$1"
    printf '# %%%%\nfn at(x: f64[n], i: int) -> f64 { return x[i] }\n# %%%%\nvar i = 7\n# %%%% {expect-error}\nat([1.0], i)\n'
}
lines "" >moved.dsl
expect 0 "" "$DSLC" notebook moved.dsl -o m.html
must grep -q 'moved.dsl:2:' m.html
for before in "# one\n\n# two\n" "\n" ""; do
    lines "$before" >moved.dsl
    expect 0 "" "$DSLC" notebook moved.dsl -o m.html
    grep -q "moved.dsl:$(grep -n 'fn at' moved.dsl | cut -d: -f1):" m.html || { echo "a wrong place:"; grep 'moved.dsl:' m.html; exit 1; }
done

# ---- files that are loaded, the clock, C: each time
printf '# %%%%\nsave("x.npy", [1.0])\n' >save.dsl
printf '# %%%%\nlet x: f64[n] = load("x.npy")\nprint("loaded", sum(x))\n# %%%%\nn * 100\n' >load.dsl
expect 0 "" "$DSLC" notebook save.dsl -o s.html
expect 0 "" "$DSLC" notebook load.dsl -o l.html
printf '# %%%%\nsave("x.npy", [1.0, 7.0])\n' >save.dsl
expect 0 "" "$DSLC" notebook save.dsl -o s.html
expect 0 "" "$DSLC" notebook load.dsl -o l.html
must grep -q '8.0' l.html
must grep -q '200' l.html
rm x.npy
expect 0 "" "$DSLC" notebook save.dsl -o s.html
must [ -e x.npy ]

# ---- the command that compares runs everything
sed 's/= 4 #/= 4  #/' n.dsl >c.dsl
expect 0 "" "$DSLC" notebook --update c.dsl
mark
expect 0 "" "$DSLC" notebook --check c.dsl
must [ "$(cat one.svg)" != old ]
