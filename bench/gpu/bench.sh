#!/bin/sh
# bench/gpu/bench.sh [--write] [PROGRAM...]: programs on a GPU beside the same programs on the processor, those of bench/ that are
# named below unless some are given, as a table with the device's name.  Where there is no GPU it says so and ends with 0.
# A program prints "check" and a number, which has to be the same, up to rounding, and "time" and seconds of one repetition: medians
# of RUNS (5) runs.  --write puts the table into bench/gpu/results, under the device and the date.
cd "$(dirname "$0")/../.." || exit 1
. bench/gpu/common.sh
dslc=${DSLC:-build/dslc} runs=${RUNS:-5} write=
[ "${1:-}" != --write ] || { write=1; shift; }
[ $# -gt 0 ] || set -- $(for name in chain stencil2d_comp stencil2d_launch stencil3d norm softmax logsumexp sum scan argmin histogram float_bins \
    float_bins_many deposit matmul_f32 matmul_f64 matmul_shared conv_layer nbody mandelbrot shallow_water; do echo bench/$name.dsl; done)
out=$(mktemp -d "${TMPDIR:-/tmp}/dslc-bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

find_gpu

measure() { # target, program: milliseconds, and in $out/check what it found
    for run in $(seq "$runs"); do
        "$dslc" run --no-tune $1 "$2" >"$out/said" 2>"$out/err" || { sed -n 1,2p "$out/err" >&2; return 1; }
        sed -n 's/^check //p' "$out/said" >"$out/check"
        awk '$1 == "time" { print 1000 * $2 }' "$out/said"
    done | median
}

table() {
    echo "# $device, $(date +%Y-%m-%d)"
    echo
    echo "| program | GPU, ms | processor ($(nproc) cores), ms | times as fast |"
    echo "|---|---|---|---|"
    for program in "$@"; do
        name=$(basename "$program" .dsl)
        gpu=$(measure --target=cuda "$program") found=$(cat "$out/check")
        cpu=$(measure "" "$program") right=$(cat "$out/check")
        if [ -z "$gpu" ] || [ -z "$cpu" ]; then
            echo "| $name | failed | | |"
        elif ! agree "$right" "$found"; then
            echo "| $name | wrong: $found, not $right | | |"
        else
            awk -v n="$name" -v g="$gpu" -v c="$cpu" 'BEGIN { printf "| %s | %.3f | %.3f | %.2f |\n", n, g, c, (g > 0 ? c / g : 0) }'
        fi
    done
}
table "$@" | tee "$out/table"
[ -z "$write" ] || keep_table
! grep -q '| failed |\|wrong:' "$out/table"
