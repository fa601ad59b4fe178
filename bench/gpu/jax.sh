#!/bin/sh
# bench/gpu/jax.sh [--write] [N...]: the shallow sea of bench/ on a GPU, by dslc and by JAX
# (bench/gpu/peers/shallow_water_jax.py), on grids of N by N (512 2048 4096), as a table with the device's name.  Where
# there is no GPU, or no JAX that can be used, it says so and ends with 0.  Both run STEPS (200) steps of DT (20.0)
# seconds, RUNS (3) times, in turns; medians.  The first run of JAX tries its ways to write it, the others take the
# fastest.  What both print as "check" has to be the same, up to rounding.
# --write puts the table into bench/gpu/results, under the device and the date.  PYTHON (python3) has JAX; OPTIONS are
# dslc's, such as --fp=contract; TARGET=cpu is both on the processor, to see that it works.
cd "$(dirname "$0")/../.." || exit 1
. bench/gpu/common.sh
dslc=${DSLC:-build/dslc} python=${PYTHON:-python3} target=${TARGET:-cuda} write=
runs=${RUNS:-3} steps=${STEPS:-200} dt=${DT:-20.0}
[ "${1:-}" != --write ] || { write=1; shift; }
[ $# -gt 0 ] || set -- 512 2048 4096
out=$(mktemp -d "${TMPDIR:-/tmp}/dslc-bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

if [ "$target" = cuda ]; then
    on=--target=cuda JAX_PLATFORMS=cuda
    find_gpu
else
    on='' JAX_PLATFORMS=cpu device="processor ($(nproc) cores)"
fi
export JAX_PLATFORMS
"$python" -c 'import jax; jax.devices(); print(jax.__version__)' >"$out/probe" 2>"$out/err" || {
    echo "no JAX that can be used, nothing is measured: $(tail -1 "$out/err")"
    exit 0
}
jax=$(tail -1 "$out/probe")

once() { # who, command: adds milliseconds to $out/who.times, leaves what was found in $out/who.check
    who=$1
    shift
    "$@" >"$out/said" 2>"$out/err" || { tail -2 "$out/err" >&2; return 1; }
    sed -n 's/^check //p' "$out/said" >"$out/$who.check"
    awk '$1 == "time" { printf "%.9g\n", 1000 * $2 }' "$out/said" >>"$out/$who.times"
}
row() { # n
    style=all
    rm -f "$out"/*.times
    for run in $(seq "$runs"); do
        once dslc "$dslc" run --no-tune $on ${OPTIONS:-} -D n="$1" -D reps="$steps" -D dt="$dt" \
            bench/shallow_water.dsl &&
            once jax env N="$1" STEPS="$steps" DT="$dt" STYLE=$style "$python" bench/gpu/peers/shallow_water_jax.py ||
            { echo "| $1 x $1 | failed | | |"; return; }
        style=$(sed -n 's/^style //p' "$out/said")
    done
    right=$(cat "$out/dslc.check") found=$(cat "$out/jax.check")
    agree "$right" "$found" || { echo "| $1 x $1 | wrong: $right, not $found | | |"; return; }
    echo "$1 $(median <"$out/dslc.times") $(median <"$out/jax.times") $style" |
        awk '{ printf "| %d x %d | %.4f | %.4f (%s) | %.2f |\n", $1, $1, $2, $3, $4, ($2 > 0 ? $3 / $2 : 0) }'
}
table() {
    echo "# $device, $(date +%Y-%m-%d)"
    echo
    echo "The shallow sea, f64, $steps steps; JAX $jax${OPTIONS:+; dslc $OPTIONS}"
    echo
    echo "| grid | dslc, ms of a step | JAX, ms of a step | times as fast |"
    echo "|---|---|---|---|"
    for n in "$@"; do row "$n"; done
}
table "$@" | tee "$out/table"
[ -z "$write" ] || keep_table '' -jax
! grep -q '| failed |\|wrong:' "$out/table"
