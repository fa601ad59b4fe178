# Relative paths: of the folder where the program runs; what is loaded is found beside the program, too. Alike in run, interp, test,
# notebook, REPL and executables.
. "$ROOT/tests/script/lib.inc"
mkdir -p project/data elsewhere/data
printf 'save("data/x.npy", [1.0, 2.0])\n' >make.dsl
(cd project && "$DSLC" run ../make.dsl) || exit 1
cat >project/p.dsl <<'EOF3'
let x: f64[n] = load("data/x.npy")
print("sum", sum(x))
save("result.npy", 2 * x)
let y: f64[m] = load("result.npy")
print("twice", sum(y))
test "beside" {
    let z: f64[k] = load("data/x.npy")
    assert sum(z) == 3
}
bench "beside" {
    let z: f64[k] = load("data/x.npy")
}
EOF3
from() { # folder, sum, command
    (
        cd "$1" || exit 1
        rm -f result.npy
        expect 0 "sum $2" $3
        grep -q "twice $(($2 * 2))" shown || { cat shown; exit 1; }
        [ -s result.npy ] || { echo "no result in $1: $3"; exit 1; }
        rm -f result.npy shown
    ) || exit 1
}
"$DSLC" build project/p.dsl -o project/p || exit 1
for how in "$DSLC run" "$DSLC interp"; do
    from project 3 "$how p.dsl"
    from . 3 "$how project/p.dsl"
    from elsewhere 3 "$how ../project/p.dsl"
    from elsewhere 3 "$how $PWD/project/p.dsl"
done
from project 3 ./p
from elsewhere 3 ../project/p
ln -s ../project/p elsewhere/link
from elsewhere 3 ./link
(cd elsewhere && expect 0 '1 passed' "$DSLC" test ../project/p.dsl) || exit 1
(cd elsewhere && expect 0 '' "$DSLC" bench ../project/p.dsl) || exit 1
# The REPL: what a file loads, and what is typed after it
printf 'let q: f64[n] = load("data/x.npy")\nprint("typed", sum(q))\n' >lines
(cd elsewhere && "$DSLC" repl ../project/p.dsl <../lines >shown 2>&1 && grep -q 'typed 3' shown) || { cat elsewhere/shown; exit 1; }
rm -f elsewhere/result.npy elsewhere/shown
# A notebook runs in the folder of its script.
expect 0 '' "$DSLC" notebook project/p.dsl -o page.html
grep -q 'sum 3' page.html && [ -s project/result.npy ] || { echo "notebook"; exit 1; }
# The folder where it runs comes first.
printf 'save("data/x.npy", [5.0])\n' >make.dsl
(cd elsewhere && "$DSLC" run ../make.dsl) || exit 1
for how in "$DSLC run ../project/p.dsl" "$DSLC interp ../project/p.dsl" ../project/p; do from elsewhere 5 "$how"; done
# Found in neither
rm -r elsewhere/data
mv project/data project/other
for how in "$DSLC run ../project/p.dsl" "$DSLC interp ../project/p.dsl" ../project/p; do
    (cd elsewhere && expect 1 "cannot read 'data/x.npy': No such file or directory" $how && expect 1 'it is neither in the folder where the program runs nor beside the program' $how) || exit 1
done
# An executable finds what moved with it, not what is beside the source.
mkdir moved && mv project/other moved/data && cp project/p moved/
from elsewhere 3 ../moved/p
(cd elsewhere && expect 1 "cannot read" ../project/p) || exit 1
exit 0
