#!/bin/sh
# bench/work.sh: work efficiency. y = x / norm(x) with norm(x) written inside the parallel loop, at sizes from 10^4 to 10^7, on one
# thread, beside the serial program in C with the norm outside: milliseconds (least of RUNS, 9, runs that alternate), the growth per
# element, and T_serial / T_1.  Quadratic work would show as a tenfold growth per element at each step.
cd "$(dirname "$0")/.." || exit 1
dslc=${DSLC:-build/dslc} runs=${RUNS:-9}
out=$(mktemp -d "${TMPDIR:-/tmp}/dslc-work.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
least() { sort -g "$1" | sed -n 1p; }
printf '%-20s %10s %12s %12s %12s %10s\n' program n 'serial ms' 'dslc ms' 'ns/element' 'T_s/T_1'
for name in normalise_launch normalise_parallel; do
    for n in 10000 100000 1000000 10000000; do
        reps=$((200000000 / n))
        [ $reps -le 10000 ] || reps=10000
        sed "s/^const n = .*/const n = $n/; s/^const reps = .*/const reps = $reps/; s/x\[r\]/x[r % n]/; s/y\[r\]/y[r % n]/" "bench/$name.dsl" >"$out/p.dsl"
        sed "s/reps = 20/reps = $reps/; s/x\[r\]/x[r % n]/; s/y\[r\]/y[r % n]/; s/#pragma omp parallel for simd/#pragma omp simd/" "bench/${name}_peer.c" >"$out/p.c"
        "$dslc" build -O3 "$out/p.dsl" -o "$out/dsl" && gcc -std=gnu11 -O3 -march=native -fopenmp-simd -ffp-contract=off -fno-math-errno \
            -fno-trapping-math -Ibench -DN=$n "$out/p.c" -o "$out/serial" -lm || exit 1
        rm -f "$out"/*.times
        for i in $(seq "$runs"); do
            for kind in serial dsl; do DSL_NUM_THREADS=1 OMP_NUM_THREADS=1 "$out/$kind" | sed -n 's/^time //p' >>"$out/$kind.times"; done
        done
        echo "$name $n $(least "$out/serial.times") $(least "$out/dsl.times")" |
            awk '{ printf "%-20s %10d %12.4f %12.4f %12.3f %9.1f%%\n", $1, $2, 1e3 * $3, 1e3 * $4, 1e9 * $4 / $2, 100 * $3 / $4 }'
    done
done
