#!/bin/sh
# bench/learn.sh [FILE.dsl...]: does what is learned from some programs help others?  Measures the settings on each (BUDGET seconds at
# most, 60; or takes MODEL, the FILE.model of an earlier time), then for each program makes rules of all others alone, and runs it as
# usual beside as these rules say.  Prints what they say and the time as learned to the usual one (median of 16 turns), 1 where they
# say nothing; last the geometric mean, the best and the worst.  By one thread, whose processor time counts.
cd "$(dirname "$0")/.." || exit 1
root=$PWD dslc=$PWD/${DSLC:-build/dslc}
[ $# -gt 0 ] || set -- bench/learn/*.dsl bench/*.dsl bench/outside/*.dsl
out=$(mktemp -d "${TMPDIR:-/tmp}/dslc-bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
for file in "$@"; do mkdir -p "$out/$(dirname "$file")" && cp "$(dirname "$file")"/*.dsl "$out/$(dirname "$file")"; done
model=${MODEL:-$out/all.model}
case $model in /*) ;; *) model=$root/$model ;; esac
cd "$out" || exit 1
[ -n "$MODEL" ] || "$dslc" tune --learn="$model" --threads=1 --budget="${BUDGET:-60}" "$@" || exit 1
[ -z "$KEEP" ] || cp "$model" "$root/$KEEP"

# The model without what was measured on the program, and without rules
without() { awk -v name="$1" '/^program / { on = substr($0, 9) == name } !on && !/^rule/' "$model"; }
held_out() { # program
    without "$1" >rest.model
    "$dslc" tune --learn=rest.model 2>log || return
    "$dslc" build --model=rest.model --explain-choices "$1" -o learned >>log 2>&1 || return
    ! grep -q '^rest.model:[0-9]' log || "$dslc" tune --model=rest.model --budget=1 --threads=1 "$1" >>log 2>&1 || return
    awk -v name="$1" '/^rest.model:[0-9]/ { sub(/^[^ ]* /, ""); said = said (said == "" ? "" : "; ") $0 }
        /^  model / { ratio = $4 }
        END { if (said == "") ratio = 1; if (ratio == "") exit 1; printf "%-32s %6.2f  %s\n", name, ratio, said == "" ? "as usual" : said }' log
}
bad=0
printf '%-32s %6s  %s\n' program ratio "what the others say"
for file in $(sed -n 's/^program //p' "$model"); do
    held_out "$file" || { echo "$file: failed"; cat log; bad=1; }
done | tee table
awk 'NF > 1 && $2 > 0 { n++; sum += log($2); if (!best || $2 < best) best = $2; if ($2 > worst) worst = $2; if ($2 != 1) moved++ }
    END { if (n) printf "%d programs, rules for %d: geometric mean %.3f, best %.2f, worst %.2f\n", n, moved, exp(sum / n), best, worst }' table
exit $bad
