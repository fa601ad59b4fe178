#!/bin/sh
# bench/gradients/ablation.sh [PROGRAM...]: what each analysis is worth: times of the gradients with one thread when it is off, as
# multiples of the time with all of them (medians of REPS, 5, within each run).  RUN: what the programs are started with.
root=$(cd "$(dirname "$0")/../.." && pwd)
dslc=${DSLC:-$root/build/dslc} reps=${REPS:-5}
out=$(mktemp -d "${TMPDIR:-/tmp}/ablation.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
eval "$(sed -n '/^sizes() {/,/^}/p' "$root/bench/gradients/table.sh")"

gradient() { # program options...: milliseconds
    name=$1
    shift
    "$dslc" build "$@" -D reps="$reps" $(printf -- '-D %s ' $(sizes "$name")) -o "$out/program" "$root/bench/gradients/$name.dsl" \
        2>/dev/null && DSL_NUM_THREADS=1 ${RUN:-} "$out/program" >"$out/said" && grep -q 'differences: true' "$out/said" || { echo 0; return; }
    awk '$1 == "gradient" { print 1000 * $2 }' "$out/said"
}
off='fuse merge distribute interior split-index gather flatten sum-loops'
printf '| program | all, ms |'
printf ' %s |' $off
printf '\n|---|---|'
printf -- '---|%.0s' $off
echo
[ $# -gt 0 ] || set -- heat3d shallow_water lattice_boltzmann xs_lookup rs_lookup hydro dg_volume backprop_layer attention
for program; do
    all=$(gradient "$program")
    printf '| %s | %.3g |' "$program" "$all"
    for pass in $off; do gradient "$program" --choose="$pass=no"; done >"$out/rows"
    awk -v all="$all" '{ if ($1 > 0) printf " %.2f |", $1 / all; else printf " - |" } END { print "" }' "$out/rows"
done
