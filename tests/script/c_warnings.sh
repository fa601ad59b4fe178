# The C that we write compiles without a warning, with gcc and with clang.
flags="-std=gnu11 -Wall -Wextra -Werror -O1 -fopenmp -ffp-contract=off -fwrapv -fno-math-errno -I$ROOT/runtime -c -o /dev/null"
for src in "$ROOT"/examples/*.dsl "$ROOT"/tests/run/*.dsl "$ROOT"/tests/codegen/*.ir; do
    [ -f "$src" ] || continue
    for level in 0 2; do
        "$DSLC" --emit=c -O$level "$src" -o t.c >log 2>&1 || { echo "--emit=c -O$level $src"; cat log; exit 1; }
        for cc in gcc clang; do
            $cc $flags t.c >log 2>&1 || { echo "$cc on the C of $src, -O$level"; head -20 log; exit 1; }
        done
    done
done
