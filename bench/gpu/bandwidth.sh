#!/bin/sh
# bench/gpu/bandwidth.sh [--write] [NAME...]: how near programs of bench/gpu/bandwidth (all, unless some are named) come to what the
# memory of this GPU can do, which is what its driver's copy from device memory to device memory reaches; and f32 matrix products,
# by dslc's own kernel and through cuBLAS, beside a call of cuBLAS.  Where there is no GPU it says so and ends with 0.
# A program prints "time", seconds of one repetition, and "bytes", those it has to read and write at least.  Medians of RUNS (5).
# --write puts the table into bench/gpu/results, under the device and the date.
cd "$(dirname "$0")/../.." || exit 1
. bench/gpu/common.sh
dslc=${DSLC:-build/dslc} runs=${RUNS:-5} write=
[ "${1:-}" != --write ] || { write=1; shift; }
[ $# -gt 0 ] || set -- triad chain stencil2d stencil3d transpose layer_norm softmax sum scan
out=$(mktemp -d "${TMPDIR:-/tmp}/dslc-bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

find_gpu
"${CC:-cc}" -std=c11 -O2 bench/gpu/device.c -o "$out/device" -ldl || exit 1

measure() { # program, options: seconds of a repetition; what it said last is in $out/said
    program=$1
    shift
    for run in $(seq "$runs"); do
        "$dslc" run --no-tune --target=cuda "$@" "$program" >"$out/said" 2>"$out/err" || { sed -n 1,2p "$out/err" >&2; return 1; }
        awk '$1 == "time" { print $2 }' "$out/said"
    done | median
}

table() {
    copied=$("$out/device" copy 536870912) || return 1
    echo "# $device, $(date +%Y-%m-%d)"
    echo
    echo "A copy by the driver moves $copied GB/s."
    echo
    echo "| program | ms | GB/s | of the copy |"
    echo "|---|---|---|---|"
    for name in "$@"; do
        seconds=$(measure "bench/gpu/bandwidth/$name.dsl")
        [ -n "$seconds" ] || { echo "| $name | failed | | |"; continue; }
        awk -v n="$name" -v s="$seconds" -v c="$copied" '$1 == "bytes" { g = $2 / s / 1e9
            printf "| %s | %.3f | %.0f | %.0f %% |\n", n, 1e3 * s, g, 100 * g / c }' "$out/said"
    done
    echo
    echo "| f32 matrices | own kernel, ms | through cuBLAS, ms | cuBLAS alone, ms | own, of cuBLAS | through, of cuBLAS |"
    echo "|---|---|---|---|---|---|"
    for n in 2048 4096 8192; do
        own=$(DSL_CUBLAS=no measure bench/gpu/bandwidth/matmul_f32.dsl -D n=$n)
        through=$(measure bench/gpu/bandwidth/matmul_f32.dsl -D n=$n)
        alone=$("$out/device" sgemm $n)
        awk -v n=$n -v o="$own" -v t="$through" -v a="$alone" 'BEGIN { if (o == "" || t == "" || a == "") print "| " n " | failed | | | | |"
            else printf "| %d | %.3f | %.3f | %.3f | %.0f %% | %.0f %% |\n", n, 1e3 * o, 1e3 * t, a, 100 * a / (1e3 * o), 100 * a / (1e3 * t) }'
    done
}
table "$@" | tee "$out/table"
[ -z "$write" ] || keep_table '' -bandwidth
! grep -q '| failed |' "$out/table"
