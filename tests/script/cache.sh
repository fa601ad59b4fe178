# The cache of executables: what is compiled when, damage, crowds, and compilers that fail.
. "$ROOT/tests/script/lib.inc"
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
cat >cc.sh <<'C'
#!/bin/sh
echo "$@" >>"$(dirname "$0")/cc.log"
exec cc "$@"
C
chmod +x cc.sh
DSL_CC=$PWD/cc.sh
export DSL_CC
compiled() { [ "$(cat cc.log 2>/dev/null | wc -l)" = "$1" ] || { echo "compiled $(wc -l <cc.log) times, not $1: $2"; exit 1; }; }

echo 'fn twice(x: int) -> int = 2*x' >part.dsl
printf 'import "part.dsl"\nconst k = 21\nprint(twice(k))\n' >a.dsl
expect 0 "42" "$DSLC" run a.dsl
expect 0 "42" "$DSLC" run a.dsl
compiled 1 "the same program"
expect 0 "10" "$DSLC" run -D k=5 a.dsl
compiled 2 "another constant"
echo 'fn twice(x: int) -> int = 3*x' >part.dsl
expect 0 "63" "$DSLC" run a.dsl
compiled 3 "a changed import"
expect 0 "" "$DSLC" build a.dsl -o prog
expect 0 "63" ./prog
compiled 3 "build finds what run made"
cp a.dsl b.dsl
expect 0 "63" "$DSLC" run b.dsl
expect 0 "42" "$DSLC" run -D k=14 b.dsl
n=$(wc -l <cc.log)
i=0
begin=$(date +%s%N)
while [ $i -lt 20 ]; do "$DSLC" run a.dsl >/dev/null; i=$((i + 1)); done
ms=$((($(date +%s%N) - begin) / 20000000))
[ $ms -lt 100 ] || { echo "a cached run takes $ms ms"; exit 1; }
compiled "$n" "twenty runs"

# Damage is noticed: cut, and changed in the middle
for f in cache/dslc/*; do case $f in *.src) ;; *) head -c 5000 "$f" >cut && cat cut >"$f" ;; esac; done
expect 0 "63" "$DSLC" run a.dsl
compiled $((n + 1)) "after truncation"
for f in cache/dslc/*; do printf 'XXXX' | dd of="$f" bs=1 seek=2000 conv=notrunc 2>/dev/null; done
expect 0 "63" "$DSLC" run a.dsl
for f in cache/dslc/*.src; do echo nonsense >"$f"; done
expect 0 "63" "$DSLC" run a.dsl
for f in cache/dslc/*.src; do : >"$f"; done
expect 0 "63" "$DSLC" run a.dsl

# Many at once
rm -rf cache
for i in 1 2 3 4 5 6 7 8; do "$DSLC" run a.dsl >out.$i 2>&1 & done
wait
for i in 1 2 3 4 5 6 7 8; do [ "$(cat out.$i)" = 63 ] || { echo "run $i:"; cat out.$i; exit 1; }; done
[ "$(ls cache/dslc | wc -l)" = 2 ] || { echo "left in the cache:"; ls cache/dslc; exit 1; }

# No cache to write to
: >file
mkdir -p readonly
for dir in "$PWD/file" /proc/none; do
    XDG_CACHE_HOME=$dir expect 0 "63" "$DSLC" run a.dsl
    XDG_CACHE_HOME=$dir expect 0 "" "$DSLC" build a.dsl -o prog2
    expect 0 "63" ./prog2
done
TMPDIR=$PWD/tmp && mkdir tmp && export TMPDIR
XDG_CACHE_HOME=$PWD/file expect 0 "63" "$DSLC" run a.dsl
rm -rf cache
expect 0 "63" "$DSLC" run a.dsl
[ -z "$(ls tmp)" ] || { echo "left behind:"; ls tmp; exit 1; }

# Exit status
echo 'assert false, "stop"' >stop.dsl
expect 1 "stop" "$DSLC" run stop.dsl
expect 1 "stop" "$DSLC" run stop.dsl

# Compilers that are not there, or fail
DSL_CC="$DSL_CC -DANYTHING" expect 0 "63" "$DSLC" run a.dsl
grep -q ANYTHING cc.log
expect 1 "E0720" "$DSLC" run --cc=no-such-compiler a.dsl
expect 1 "E0720" env PATH=/nowhere DSL_CC= CC= "$DSLC" build a.dsl -o prog
expect 1 "E0722" "$DSLC" run --cc=false a.dsl
"$DSLC" build --keep-c a.dsl -o prog && grep -q "int main" a.c
printf 'extern fn no_such_function(x: f64) -> f64\nprint(no_such_function(1.0))\n' >ext.dsl
expect 1 "E0723" "$DSLC" run ext.dsl
