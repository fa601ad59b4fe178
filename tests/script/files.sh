# Files that cannot be read or written: a message, status 1, and nothing damaged.
. "$ROOT/tests/script/lib.inc"
cat >save.dsl <<'X'
save("x.npy", linspace(0.0, 1.0, 100000))
X
cat >load.dsl <<'X'
let x: f64[n] = load("x.npy")
print(n, sum(x) > 0)
X
expect 1 "E0610" "$DSLC" run load.dsl
expect 0 "" "$DSLC" run save.dsl
expect 0 "100000" "$DSLC" run load.dsl
cp x.npy whole.npy
head -c 1000 whole.npy >x.npy
expect 1 "E0611" "$DSLC" run load.dsl
head -c 5 whole.npy >x.npy
expect 1 "E0611" "$DSLC" run load.dsl
: >x.npy
expect 1 "E0611" "$DSLC" run load.dsl
echo "this is text, not numbers" >x.npy
expect 1 "E0611" "$DSLC" run load.dsl
cat >other.dsl <<'X'
save("x.npy", [1, 2, 3])
X
expect 0 "" "$DSLC" run other.dsl
expect 1 "E0612" "$DSLC" run load.dsl
cat >matrix.dsl <<'X'
save("x.npy", zeros(f64, 3, 3))
X
expect 0 "" "$DSLC" run matrix.dsl
expect 1 "E0613" "$DSLC" run load.dsl
mkdir -p dir
echo 'save("no/such/dir/x.npy", [1.0])' >w.dsl
expect 1 "E0614" "$DSLC" run w.dsl
echo 'save("dir", [1.0])' >w.dsl
expect 1 "E0614" "$DSLC" run w.dsl
[ -d dir ] || { echo "the directory is gone"; exit 1; }

# A full disk: the old file stays whole.
if [ "$(id -u)" = 0 ] && mkdir -p small && mount -t tmpfs -o size=512k tmpfs small 2>/dev/null; then
    trap 'umount small' EXIT
    echo 'save("small/x.npy", [1.0, 2.0])' >w.dsl
    expect 0 "" "$DSLC" run w.dsl
    cp small/x.npy before.npy
    echo 'save("small/x.npy", linspace(0.0, 1.0, 1000000))' >w.dsl
    expect 1 "E0614" "$DSLC" run w.dsl
    cmp small/x.npy before.npy
    [ "$(ls small | wc -l)" = 1 ] || { echo "left-overs:"; ls small; exit 1; }
    dd if=/dev/zero of=small/fill bs=1k count=505 2>/dev/null || true
    expect 1 "E07" "$DSLC" build w.dsl -o small/program
    [ ! -e small/program ] || { echo "half a program was left"; exit 1; }
    expect 1 "E07" "$DSLC" --emit=c "$ROOT/examples/shallow_water.dsl" -o small/out.c
    [ ! -e small/out.c ] || { echo "half an output was left"; exit 1; }
fi
# Output that cannot be made
expect 1 "E07" "$DSLC" build save.dsl -o no/such/dir/program
expect 1 "E07" "$DSLC" build save.dsl -o dir
cp save.dsl keep.dsl
expect 1 "" "$DSLC" build save.dsl -o save.dsl
cmp save.dsl keep.dsl
# What is no result of ours is not replaced: sources, what they import and link, other people's C.
unchanged() { # file, what it was, command...: refused
    file=$1 was=$2 text=$3
    shift 3
    expect 1 "E0702" "$@"
    expect 1 "$text" "$@"
    cmp "$file" "$was" || { echo "$file was replaced: $*"; exit 1; }
}
printf 'double twice(double x) { return 2 * x; }\n' >p.c
echo 'fn three() -> int = 3' >imp.dsl
printf 'import "imp.dsl"\nextern fn twice(x: f64) -> f64\nprint(twice(1.5), three())\n' >p.dsl
for f in p.c p.dsl imp.dsl; do cp $f $f.was; done
for command in build run test bench; do
    unchanged p.c p.c.was "--keep-c writes the C of 'p.dsl' there" "$DSLC" $command --link=p.c --keep-c p.dsl
    [ ! -e p ] || { echo "the program was made"; exit 1; }
done
mkdir lib.c taken
expect 1 "E0702" "$DSLC" build --keep-c imp.dsl -o lib.c
printf 'export fn half(x: f64) -> f64 = x / 2.0\n' >halves.dsl
cp p.c taken/halves.c
unchanged taken/halves.c p.c.was "is no C that dslc made" "$DSLC" build --lib --keep-c halves.dsl -o taken/
[ "$(ls taken)" = halves.c ] || { echo "part of a library was made"; exit 1; }
rm taken/halves.c
expect 0 "" "$DSLC" build --lib --keep-c halves.dsl -o taken/
expect 0 "" "$DSLC" build --lib --keep-c halves.dsl -o taken/
echo 'print(1)' >kept.dsl
expect 0 "1" "$DSLC" run --keep-c kept.dsl
echo 'print(2)' >kept.dsl
expect 0 "2" "$DSLC" run --keep-c kept.dsl
grep -q "Made by dslc" kept.c
: >kept.c
expect 1 "is no C that dslc made" "$DSLC" run --keep-c kept.dsl
for stage in tokens ast typed ir par loops plan c; do
    unchanged p.dsl p.dsl.was "it is the source" "$DSLC" --emit=$stage p.dsl -o p.dsl
    unchanged imp.dsl imp.dsl.was "source" "$DSLC" --emit=$stage p.dsl -o imp.dsl
done
unchanged p.c p.c.was "it is the source" "$DSLC" --emit=c --link=p.c p.dsl -o p.c
ln p.dsl link.txt
unchanged p.dsl p.dsl.was "it is the source" "$DSLC" --emit=c p.dsl -o link.txt
expect 0 "" "$DSLC" --emit=ir p.dsl -o p.ir
expect 0 "" "$DSLC" --emit=ir p.dsl -o p.ir
cp p.ir p.ir.was
unchanged p.ir p.ir.was "it is the source" "$DSLC" opt p.ir -o p.ir
unchanged imp.dsl imp.dsl.was "it looks like a source" "$DSLC" opt p.ir -o imp.dsl
unchanged p.ir p.ir.was "it is the source" "$DSLC" --emit=loops p.ir -o p.ir
# A cache that cannot be written does not matter
: >notadir
XDG_CACHE_HOME=$PWD/notadir expect 0 "" "$DSLC" run save.dsl

# No file is replaced that is not an earlier result.
echo 'export fn twice(x: f64) -> f64 = 2.0 * x' >p.dsl
for f in p.h p.pc libp.so libp.a; do
    echo 'my own' >$f
    expect 1 "cannot write './$f': it is there, and is none that dslc made" "$DSLC" build --lib p.dsl
    [ "$(cat $f)" = 'my own' ] && [ "$(ls p.h p.pc libp.so libp.a 2>/dev/null)" = $f ] || { ls; exit 1; }
    rm $f
done
expect 0 '' "$DSLC" build --lib p.dsl
expect 0 '' "$DSLC" build --lib p.dsl
echo 'my data' >p
expect 1 "cannot write 'p': it is there, and is no executable" "$DSLC" build p.dsl
[ "$(cat p)" = 'my data' ] || { echo "data is lost"; exit 1; }
rm p
expect 0 '' "$DSLC" build p.dsl
expect 0 '' "$DSLC" build p.dsl
