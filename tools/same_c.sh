#!/bin/sh
# tools/same_c.sh OLD NEW: whether two compilers write the same C, for all programs of the tests, the examples and the benchmarks.
cd "$(dirname "$0")/.." || exit 1
old=$1 new=$2 work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
n=0 bad=0
for f in tests/run/*.dsl examples/*.dsl bench/*.dsl bench/*/*.dsl tests/codegen/*.ir tests/lib/*.dsl; do
    [ -f "$f" ] || continue
    for level in 0 2; do
        "$old" --emit=c -O$level "$f" >"$work/old.c" 2>"$work/old.err"
        "$new" --emit=c -O$level "$f" >"$work/new.c" 2>"$work/new.err"
        n=$((n + 1))
        cmp -s "$work/old.c" "$work/new.c" && cmp -s "$work/old.err" "$work/new.err" && continue
        bad=$((bad + 1))
        echo "$f -O$level: the C differs"
    done
done
echo "$n compared, $bad differ"
[ "$bad" = 0 ]
