#!/bin/sh
# bench/contractions/strides.sh: layers that read at strides, around, at borders, and their gradients, beside JAX.  Milliseconds, the best
# of nine in each of RUNS (3) runs in turn; THREADS (1).  PYTHON: one that has NumPy and JAX.  OTHER: another dslc, to compare with.
cd "$(dirname "$0")/../.." || exit 1
threads=${THREADS:-1}
out=$(mktemp -d "${TMPDIR:-/tmp}/strides.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
export OMP_NUM_THREADS="$threads" DSL_NUM_THREADS="$threads" JAX_PLATFORMS=cpu
[ "$threads" != 1 ] || export XLA_FLAGS="--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
build/dslc build bench/contractions/strides.dsl -o "$out/dslc" || exit 1
[ -z "${OTHER:-}" ] || "$OTHER" build bench/contractions/strides.dsl -o "$out/other" || exit 1
for run in $(seq "${RUNS:-3}"); do
    for way in dslc ${OTHER:+other}; do "$out/$way" | sed "s/^/$way /" >>"$out/times" || exit 1; done
    "${PYTHON:-python3}" -c 'import jax' 2>/dev/null || continue
    taskset -c 0-$((threads - 1)) "${PYTHON:-python3}" bench/contractions/strides_jax.py | sed 's/^/jax /' >>"$out/times"
done
echo '| program | primal | gradient | ratio | before | JAX, primal | JAX, gradient | JAX, ratio | JAX over dslc |'
echo '|---|---|---|---|---|---|---|---|---|'
awk '
    function put(v) { return v ? sprintf("%.2f", v) : "" }
    {
        name = $2; for (i = 3; i <= NF - 3; i++) name = name " " $i
        if (!(name in seen)) { seen[name] = 1; row[++n] = name }
        a = name SUBSEP $1; p = $(NF - 2); g = $(NF - 1)
        if (!(a in primal) || p < primal[a]) primal[a] = p
        if (!(a in gradient) || g < gradient[a]) gradient[a] = g
    }
    END {
        for (k = 1; k <= n; k++) {
            d = row[k] SUBSEP "dslc"; j = row[k] SUBSEP "jax"; o = row[k] SUBSEP "other"
            printf "| %s | %.2f | %.2f | %.2f | %s | %s | %s | %s | %s |\n", row[k], primal[d], gradient[d], gradient[d] / primal[d],
                put(gradient[o]), put(primal[j]), put(gradient[j]), primal[j] ? put(gradient[j] / primal[j]) : "", put(gradient[j] / gradient[d])
        }
    }' "$out/times"
