#!/bin/sh
# tools/bench_jit.sh [CASE...]: code in memory beside the same programs by the C compiler; a case is a name in bench/.
# For each of THREADS ("1 2"): milliseconds of a repetition by C, and its ratio to that, below 1 where code in memory is
# faster, of --jit=optimized and of --jit=tiered once its second tier is there; medians of RUNS (5) that alternate, and
# the geometric means.  Fails where what is computed differs.  LOCK=FILE takes that lock while a case is measured.
cd "$(dirname "$0")/.." || exit 1
dslc=${DSLC:-build/dslc} runs=${RUNS:-5} threads=${THREADS:-1 2}
OMP_WAIT_POLICY=passive DSL_LLVM_TIERS=wait
export OMP_WAIT_POLICY DSL_LLVM_TIERS
out=$(mktemp -d "${TMPDIR:-/tmp}/dslc-bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
[ $# -gt 0 ] || set -- $(ls bench/*_peer.c | sed 's|bench/||; s|_peer.c||')

run() { # threads, times, command...
    t=$1 times=$2
    shift 2
    DSL_NUM_THREADS=$t OMP_NUM_THREADS=$t OPENBLAS_NUM_THREADS=$t "$@" >"$out/run" || return 1
    awk '$1 == "time" { print $2 }' "$out/run" >>"$times"
    grep '^check ' "$out/run"
}
median() { sort -g "$1" | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }
measure() { # case, threads
    rm -f "$out"/*.times
    for i in $(seq "$runs"); do
        c=$(run $2 "$out/c.times" "$out/$1") || return 1
        for tier in optimized tiered; do
            x=$(run $2 "$out/$tier.times" "$dslc" run --no-tune -O3 --jit=$tier "bench/$1.dsl") || return 1
            [ "$x" = "$c" ] || { echo "$1: --jit=$tier computes something else"; return 1; }
        done
    done
    echo "$1 $2 $(median "$out/c.times") $(median "$out/optimized.times") $(median "$out/tiered.times")" | tee -a "$out/all" |
        awk '{ printf "%-24s %d  %9.2f  %6.2f  %6.2f\n", $1, $2, 1e3 * $3, $4 / $3, $5 / $3 }'
}
printf '%-24s %s  %9s  %6s  %6s\n' case threads C/ms optim. tiered
status=0
for name; do
    "$dslc" build -O3 "bench/$name.dsl" -o "$out/$name" || { status=1; continue; }
    for t in $threads; do
        if [ -z "${LOCK:-}" ]; then measure "$name" $t; else { flock 9; measure "$name" $t; } 9>"$LOCK"; fi || status=1
    done
    rm -f "$out/$name"
done
awk '{ n[$2]++; o[$2] += log($4 / $3); t[$2] += log($5 / $3) }
    END { for (k in n) printf "geometric mean, %d threads: optimized %.3f, tiered %.3f\n", k, exp(o[k] / n[k]), exp(t[k] / n[k]) }' "$out/all"
exit $status
