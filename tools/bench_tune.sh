#!/bin/sh
# tools/bench_tune.sh [FILE.dsl...]: what `dslc tune` makes of programs.  Each is copied, with what it imports, and tuned there (BUDGET
# seconds at most, 120); then it runs as it is and as tuned, RUNS (9) times in turn.  Prints the medians of the "time" line that
# it prints, or else of whole runs, in milliseconds, tuned/untuned, and what was kept.  Fails when the two print different things.
cd "$(dirname "$0")/.." || exit 1
root=$PWD dslc=$PWD/${DSLC:-build/dslc} runs=${RUNS:-9}
[ $# -gt 0 ] || set -- bench/rodinia/hotspot.dsl bench/matmul_shared.dsl bench/rodinia/pathfinder.dsl bench/rodinia/lud.dsl bench/rodinia/srad.dsl
out=$(mktemp -d "${TMPDIR:-/tmp}/dslc-bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
export OMP_WAIT_POLICY=passive

median() { sort -g "$1" | awk '{ x[NR] = $1 } END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'; }
run() { # name: adds its time to name.times, what it prints else to name.out
    start=$(date +%s%N)
    "./$1" >"$1.run" || return
    end=$(date +%s%N)
    sed -n 's/^time //p' "$1.run" | grep . >>"$1.times" || echo "$start $end" | awk '{ print ($2 - $1) / 1e9 }' >>"$1.times"
    grep -v '^time ' "$1.run" >"$1.out"
}
measure() { # file
    name=$(basename "$1" .dsl)
    mkdir "$out/$name" && cp "$(dirname "$1")"/*.dsl "$out/$name/" && cd "$out/$name" || return
    measure=; ! grep -q "^print(.time.," "$name.dsl" || measure=--measure=time
    "$dslc" tune $measure --budget="${BUDGET:-120}" "$name.dsl" 2>log || { cat log; return 1; }
    { "$dslc" build "$name.dsl" -o tuned && "$dslc" build --no-tune "$name.dsl" -o plain; } >>log 2>&1 || { cat log; return 1; }
    for i in $(seq "$runs"); do
        for kind in plain tuned; do run $kind || return; done
    done
    cmp plain.out tuned.out || return
    kept=$(sed -n '/^#/d; /^source/d; /^machine/d; s/ *#.*//p' "$name.dsl.tune" | awk '{ printf "%s%s", (NR > 1 ? "; " : ""), $0 }')
    echo "$(median plain.times) $(median tuned.times)" | awk -v n="$name" -v kept="$kept" '{ printf "%-16s %10.3f %10.3f %8.2f  %s\n", n, 1e3 * $1, 1e3 * $2, $2 / $1, kept }'
    cd "$root" || exit 1
}
bad=0
printf '%-16s %10s %10s %8s  %s\n' program 'as is ms' 'tuned ms' ratio kept
for file in "$@"; do measure "$file" || { echo "$file: failed"; bad=1; cd "$root" || exit 1; }; done
exit $bad
