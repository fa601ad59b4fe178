#!/bin/sh
# tools/bench_elementary.sh: elementary functions beside those of libmvec (gcc -ffast-math) and, if PYTHON (python3) has it, NumPy:
# nanoseconds for each element, one thread.  ratio is NumPy's time by ours: above 1 ours is faster.
cd "$(dirname "$0")/.." || exit 1
out=$(mktemp -d "${TMPDIR:-/tmp}/dslc-bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
CC=${CC:-gcc} same="-I. -std=gnu11 -O3 -march=native -fopenmp -fno-math-errno -fno-trapping-math"
$CC $same -ffp-contract=off -fwrapv bench/elementary/loops.c build/libdslrt.a -o "$out/own" -lm &&
    $CC $same -ffast-math -DLIBM bench/elementary/loops.c -o "$out/libm" -lm || exit 1
"$out/own" >"$out/own.txt" && "$out/libm" >"$out/libm.txt" || exit 1
${PYTHON:-python3} bench/elementary/numpy_times.py >"$out/numpy.txt" 2>/dev/null || : >"$out/numpy.txt"
printf '%-8s %24s %26s\n%-8s %6s %8s %7s %6s %8s %8s %7s %6s\n' '' f64 f32 '' dslc libmvec NumPy ratio dslc libmvec NumPy ratio
awk -v own="$out/own.txt" -v numpy="$out/numpy.txt" '
    BEGIN {
        while ((getline line <numpy) > 0) { split(line, w); n64[w[1]] = w[2]; n32[w[1]] = w[3] }
        while ((getline line <own) > 0) { split(line, w); o64[w[1]] = w[2]; o32[w[1]] = w[3] }
    }
    function ratio(a, b) { return a == "" ? "-" : sprintf("%.2f", a / b) }
    { printf "%-8s %6.2f %8.2f %7s %6s %8.2f %8.2f %7s %6s\n", $1, o64[$1], $2, n64[$1] == "" ? "-" : n64[$1], ratio(n64[$1], o64[$1]),
        o32[$1], $3, n32[$1] == "" ? "-" : n32[$1], ratio(n32[$1], o32[$1]) }' "$out/libm.txt"
