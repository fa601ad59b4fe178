#!/bin/sh
# tools/bench.sh [CASE...]: every bench/CASE.dsl beside bench/CASE_peer.c, the same program by hand in C with OpenMP
# (matmul: one call of BLAS).  Prints milliseconds of one repetition, medians of RUNS (7) runs that alternate, at each
# of THREADS ("1 2"), and the ratio dslc/peer: below 1 dslc is faster.  Fails when the checksums differ.
cd "$(dirname "$0")/.." || exit 1
dslc=${DSLC:-build/dslc} runs=${RUNS:-7} threads=${THREADS:-1 2} out=build/bench
# what dslc build -O3 passes to its compiler
CFLAGS="-std=gnu11 -O3 -march=native -fopenmp -ffp-contract=off -fwrapv -fno-math-errno -fno-trapping-math"
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY
mkdir -p "$out"
[ $# -gt 0 ] || set -- $(ls bench/*_peer.c | sed 's|bench/||; s|_peer.c||')

build() { # case
    libs=$(sed -n 's|.*LIBS: \(.*\) \*/|\1|p' "bench/$1_peer.c")
    ${CC:-gcc} $CFLAGS "bench/$1_peer.c" -o "$out/$1_peer" -lm $libs || return
    "$dslc" build --cc="${CC:-gcc}" -O3 "bench/$1.dsl" -o "$out/$1" 2>"$out/$1.log" || { sed -n 1,5p "$out/$1.log" >&2; return 1; }
}

run() { # threads, executable, file that gets the seconds: prints the checksum
    DSL_NUM_THREADS=$1 OMP_NUM_THREADS=$1 OPENBLAS_NUM_THREADS=$1 "$2" >"$out/run.txt" 2>&1 || { sed -n 1,5p "$out/run.txt" >&2; return 1; }
    awk '$1 == "time" { print $2 }' "$out/run.txt" >>"$3"
    awk '$1 == "check" { print $2 }' "$out/run.txt"
}

median() { sort -g "$1" | awk '{ x[NR] = $1 } END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'; }

close_enough() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; if (d < 0) d = -d; m = a < 0 ? -a : a; exit !(d <= 1e-5 * m + 1e-12) }'; }

printf '%-18s %7s %11s %11s %7s\n' case threads 'dslc ms' 'peer ms' ratio
bad=0
: >"$out/ratios"
for name in "$@"; do
    build "$name" || { echo "$name: does not build"; bad=1; continue; }
    for t in $threads; do
        : >"$out/dsl.times"
        : >"$out/peer.times"
        for i in $(seq "$runs"); do
            a=$(run "$t" "$out/$name" "$out/dsl.times") || { bad=1; break; }
            b=$(run "$t" "$out/${name}_peer" "$out/peer.times") || { bad=1; break; }
        done
        close_enough "$a" "$b" || { echo "$name: checksums differ: $a and $b"; bad=1; }
        x=$(median "$out/dsl.times") y=$(median "$out/peer.times")
        awk -v n="$name" -v t="$t" -v x="$x" -v y="$y" -v f="$out/ratios" 'BEGIN {
            if (x > 0 && y > 0) { printf "%-18s %7d %11.3f %11.3f %7.2f\n", n, t, x * 1e3, y * 1e3, x / y; print t, x / y >>f } }'
    done
done
for t in $threads; do
    awk -v t="$t" '$1 == t { s += log($2); n++ } END { if (n) printf "geometric mean of %d ratios, %d thread%s: %.3f\n", n, t, (t > 1 ? "s" : ""), exp(s / n) }' "$out/ratios"
done
exit $bad
