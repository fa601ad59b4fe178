#!/bin/sh
# tools/bench_science.sh [REPS]: bench/science/science.dsl beside NumPy and SciPy (PYTHON=python3), with one thread and with two, in
# turns; milliseconds, and ratios: above 1 ours is faster.  The last line has the geometric means.
cd "$(dirname "$0")/.." || exit 1
out=$(mktemp -d "${TMPDIR:-/tmp}/dslc-bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
reps=${1:-7}
build/dslc build --cc="${CC:-gcc}" bench/science/science.dsl -o "$out/ours" && "$out/ours" --make --table="$out/t.csv" || exit 1
for threads in 1 2; do
    export OMP_NUM_THREADS=$threads OPENBLAS_NUM_THREADS=$threads
    "$out/ours" --table="$out/t.csv" --reps="$reps" >"$out/ours.$threads" || exit 1
    "${PYTHON:-python3}" bench/science/numpy_times.py "$out/t.csv" "$reps" >"$out/numpy.$threads" || exit 1
done
paste -d ' ' "$out/ours.1" "$out/numpy.1" "$out/ours.2" "$out/numpy.2" | awk '
    BEGIN { printf "| %-18s | %9s | %9s | %6s | %9s | %9s | %6s |\n|---|---|---|---|---|---|---|\n", "case", "1 thread", "NumPy", "ratio", "2 threads", "NumPy", "ratio" }
    $1 != $4 || $1 != $6 || $1 != $9 { print "lines differ: " $0; exit 1 }
    { printf "| %-18s | %9.3f | %9.3f | %6.2f | %9.3f | %9.3f | %6.2f |\n", $1, $2, $5, $5 / $2, $7, $10, $10 / $7
      one += log($5 / $2); two += log($10 / $7); n++ }
    END { printf "| %-18s | %9s | %9s | %6.2f | %9s | %9s | %6.2f |\n", "geometric mean", "", "", exp(one / n), "", "", exp(two / n) }'
