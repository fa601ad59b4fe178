#!/bin/sh
# bench/algebra/table.sh: products of matrices as textbooks write them, beside NumPy: as they are written, and as somebody orders them
# who counts operations.  Milliseconds, the best of seven; THREADS (1).  PYTHON: one that has NumPy.
cd "$(dirname "$0")/../.." || exit 1
threads=${THREADS:-1}
out=$(mktemp -d "${TMPDIR:-/tmp}/algebra.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
export OMP_NUM_THREADS="$threads" DSL_NUM_THREADS="$threads" OPENBLAS_NUM_THREADS="$threads"
for way in no yes; do
    build/dslc build --fp=reassoc --choose=saturate=$way bench/algebra/algebra.dsl -o "$out/$way.exe" && "$out/$way.exe" >"$out/$way" || exit 1
done
"${PYTHON:-python3}" bench/algebra/numpy_times.py >"$out/numpy" || exit 1
echo '| program | dslc | without saturation | NumPy | NumPy, ordered by hand | NumPy over dslc | ordered over dslc |'
echo '|---|---|---|---|---|---|---|'
paste -d ' ' "$out/yes" "$out/no" "$out/numpy" | awk '
    { printf "| %s | %.3f | %.3f | %.3f | %.3f | %.2f | %.2f |\n", $1, $2, $5, $8, $9, $8 / $2, $9 / $2; a += log($8 / $2); b += log($9 / $2) }
    END { printf "| geometric mean | | | | | %.2f | %.2f |\n", exp(a / NR), exp(b / NR) }'
