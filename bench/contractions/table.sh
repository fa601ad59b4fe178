#!/bin/sh
# bench/contractions/table.sh: sums of products over several indices, as written and as matrix products (--fp=reassoc), beside JAX and NumPy.
# Milliseconds, the best of seven in each of RUNS (3) runs in turn; THREADS (1).  PYTHON: one that has NumPy and JAX.
cd "$(dirname "$0")/../.." || exit 1
threads=${THREADS:-1}
out=$(mktemp -d "${TMPDIR:-/tmp}/contractions.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
export OMP_NUM_THREADS="$threads" DSL_NUM_THREADS="$threads" OPENBLAS_NUM_THREADS="$threads" JAX_PLATFORMS=cpu
"${PYTHON:-python3}" -c 'import jax' 2>"$out/log" || { echo "PYTHON has no JAX (pip install jax)"; exit 1; }
[ "$threads" != 1 ] || export XLA_FLAGS="--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
for way in strict reassoc; do
    build/dslc build --fp=$way bench/contractions/contractions.dsl -o "$out/$way.exe" || exit 1
done
for run in $(seq "${RUNS:-3}"); do
    for way in strict reassoc; do "$out/$way.exe" | sed "s/^/$way /" >>"$out/times" || exit 1; done
    taskset -c 0-$((threads - 1)) "${PYTHON:-python3}" bench/contractions/jax_times.py | awk '{ print "jax", $1, $2; print "numpy", $1, $3 }' >>"$out/times"
done
echo '| program | as written | matrix products | JAX | NumPy | written over products | JAX over products |'
echo '|---|---|---|---|---|---|---|'
awk '
    { key = $2 SUBSEP $1; if (!(key in t) || $3 < t[key]) t[key] = $3; if (!($2 in seen)) { seen[$2] = 1; row[++n] = $2 } }
    END {
        for (k = 1; k <= n; k++) {
            r = row[k]; s = t[r, "strict"]; d = t[r, "reassoc"]; j = t[r, "jax"]; p = t[r, "numpy"]
            printf "| %s | %.2f | %.2f | %.2f | %s | %.2f | %.2f |\n", r, s, d, j, p == "nan" ? "" : sprintf("%.2f", p), s / d, j / d
            a += log(s / d); b += log(j / d)
        }
        printf "| geometric mean | | | | | %.2f | %.2f |\n", exp(a / n), exp(b / n)
    }' "$out/times"
