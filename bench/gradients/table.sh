#!/bin/sh
# bench/gradients/table.sh [PROGRAM...]: milliseconds of each program and of its gradient with one thread and with two, medians of one
# run (REPS, 7), what threads bring, and how many atomic updates the loops of the program and its gradient have.
root=$(cd "$(dirname "$0")/../.." && pwd)
dslc=${DSLC:-$root/build/dslc} reps=${REPS:-7}
out=$(mktemp -d "${TMPDIR:-/tmp}/gradients.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

sizes() { # of a program
    case $1 in
    heat3d) echo n=130 steps=10 ;;
    shallow_water) echo n=1000 steps=10 ;;
    lattice_boltzmann) echo n=500 steps=10 ;;
    xs_lookup) echo lookups=200000 nuclides=68 points=1000 materials=12 parts=12 ;;
    rs_lookup) echo lookups=100000 nuclides=68 windows=100 materials=12 parts=12 ;;
    hydro) echo n=40 steps=4 ;;
    dg_volume) echo q=8 elements=4000 ;;
    backprop_layer) echo nin=262144 ;;
    attention) echo n=1000 d=64 ;;
    esac
}
measure() { # threads: milliseconds of primal and gradient
    DSL_NUM_THREADS=$1 "$out/program" >"$out/said" || return 1
    grep -q 'differences: true' "$out/said" || { echo "$name: the gradient is wrong" >&2; return 1; }
    awk '$1 == "primal" { p = $2 } $1 == "gradient" { g = $2 } END { print 1000 * p, 1000 * g }' "$out/said"
}
echo '| program | size | primal | gradient | ratio | primal, 2 threads | gradient, 2 threads | ratio | primal 1:2 | gradient 1:2 | atomic updates |'
echo '|---|---|---|---|---|---|---|---|---|---|---|'
[ $# -gt 0 ] || set -- heat3d shallow_water lattice_boltzmann xs_lookup rs_lookup hydro dg_volume backprop_layer attention
for name; do
    size=$(sizes "$name")
    "$dslc" build -D reps="$reps" $(printf -- '-D %s ' $size) -o "$out/program" "$root/bench/gradients/$name.dsl" || exit 1
    atomics=$("$dslc" --emit=loops "$root/bench/gradients/$name.dsl" -o - | grep -c '\<atomic(')
    one=$(measure 1) && two=$(measure 2) || exit 1
    echo "$name $(echo "$size" | tr ' ' ',') $atomics $one $two"
done | tee "$out/rows" | awk '{
    printf "| %s | %s | %.3g | %.3g | %.2f | %.3g | %.3g | %.2f | %.2f | %.2f | %d |\n", $1, $2, $4, $5, $5 / $4, $6, $7, $7 / $6, $4 / $6, $5 / $7, $3
    fflush() }'
awk '{ one += log($5 / $4); two += log($7 / $6) } END { printf "\nGeometric mean of %d: %.2f with one thread, %.2f with two.\n", NR, exp(one / NR), exp(two / NR) }' "$out/rows"
