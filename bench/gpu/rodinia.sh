#!/bin/sh
# RODINIA=FOLDER bench/gpu/rodinia.sh [--write] [NAME...]: programs of bench/rodinia on a GPU beside the Rodinia suite's own CUDA
# programs, as a table: milliseconds of kernels in one repetition, medians of RUNS (5) runs that alternate.  Above 1 dslc is faster.
# FOLDER has the suite's programs, version 3.1, under the names of the second table below, built as its users build them: nvcc -O3
# -arch=native of each program's files; cfd with 20 iterations, kmeans with 10 rounds, gaussian with -DRD_WG_SIZE_0=256
# -DRD_WG_SIZE_1=16, which are the blocks of bench/rodinia; srad_v2 with room for a row in front of J_cuda and C_cuda and behind,
# where its kernels read, which newer GPUs refuse otherwise.  Those programs are not part of this repository.
# CUPTI tells the times (kernel_time.c), so that what both sides do before and after does not count.  Files that the suite's
# programs read are made in FOLDER/data (rodinia_inputs.c) where they are not there.
#   PREBUILT=FOLDER  dslc's executables, in the place of DSLC (build/dslc), which builds them; libkernel_time.so and
#                    rodinia_inputs may be there, too: else a C compiler makes them, CUDA ($CUDA, /usr/local/cuda) has CUPTI
# "launches" are kernels that both sides have.  "others" are other kernels, copies within the GPU's memory and fills between the
# first and the last of them: what the suite leaves to the processor, as sums, or does by a copy.  The "span" is from the first one's
# start to the last one's end: with launches, copies and what the processor does between them.
# What dslc's programs find has to be what they find on the processor, up to TOLERANCE (1e-5, relative).  KEEP=FOLDER keeps what CUPTI
# told of the last runs: each kernel's launches and microseconds.  --write puts the table into bench/gpu/results, under the device
# and the date.  Without a GPU it says so and ends with 0.
cd "$(dirname "$0")/../.." || exit 1
. bench/gpu/common.sh
dslc=${DSLC:-build/dslc} runs=${RUNS:-5} cuda=${CUDA:-/usr/local/cuda} cc=${CC:-cc} tolerance=${TOLERANCE:-1e-5} write=
[ "${1:-}" != --write ] || { write=1; shift; }
export CUDA_MODULE_LOADING=EAGER

# dslc's programs: launches of the last repetition, which kernels they are, which of them the suite has, too
ours='
hotspot 10 advance .
hotspot3D 20 advance .
pathfinder 5 descend .
nw 255 upper|lower .
srad 4 coefficients|diffuse .
lud 190 diagonal|perimeter|internal .
lavaMD 1 interact .
backprop 2 layerforward|adjust_weights .
bfs 26 expand|advance .
kmeans 21 invert|nearest|accumulate invert|nearest
cfd 140 step_factor|fluxes|time_step .
gaussian 2046 fan1|fan2 .
nn 1 euclid .
btree 2 find .
streamcluster 20 gains .
particlefilter 27 likelihood|normalize|resample .
'
# The suite's: their launches (each: as many as there are, the time is that of as many as dslc has), which, arguments
theirs='
hotspot 10 calculate_temp 1024 2 20 hotspot_temp hotspot_power /dev/null
hotspot3D 20 hotspotOpt1 512 8 20 hotspot3D_power hotspot3D_temp /dev/null
pathfinder 5 dynproc 100000 100 20
nw 255 needle 2048 10
srad 4 srad_cuda 2048 2048 0 127 0 127 0.5 2
lud 190 lud_ -s 1024
lavaMD 1 kernel_gpu_cuda -boxes1d 4
backprop 2 bpnn_ 65536
bfs 26 Kernel bfs
kmeans 11 invert_mapping|kmeansPoint -i kmeans -b
cfd 140 cuda_compute|cuda_time_step cfd
gaussian 2046 Fan -s 1024 -q
nn 1 euclid nn_files -r 10 -lat 30 -lng 90
btree 2 findK|findRangeK file btree command btree_commands
streamcluster each kernel_compute_cost 5 10 64 65536 65536 1000 none /dev/null 1
particlefilter 36 likelihood|sum_kernel|normalize|find_index -x 128 -y 128 -z 10 -np 10000
'
of() { echo "$1" | awk -v name="$2" -v from="$3" '$1 == name { for (i = from; i <= NF; i++) printf "%s ", $i }'; } # table, name, field
[ $# -gt 0 ] || set -- $(echo "$ours" | awk 'NF { print $1 }')

[ -n "${RODINIA:-}" ] || { echo "RODINIA=FOLDER has to say where the suite's CUDA programs are, see the top of this file"; exit 2; }
rodinia=$(cd "$RODINIA" && pwd) || exit 2
case ${KEEP:-} in /* | '') keep=${KEEP:-} ;; *) keep=$PWD/$KEEP ;; esac
[ -z "${PREBUILT:-}" ] || prebuilt=$(cd "$PREBUILT" && pwd) || exit 2
if ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
    echo "no GPU here, nothing is measured"
    exit 0
fi
device=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)
out=$(mktemp -d "${TMPDIR:-/tmp}/dslc-bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

tools() { # those that are not there are made
    lib=${prebuilt:-/none}/libkernel_time.so maker=${prebuilt:-/none}/rodinia_inputs
    if [ ! -f "$lib" ]; then
        lib=$out/libkernel_time.so
        $cc -std=c11 -O2 -shared -fPIC -I"$cuda/include" -o "$lib" bench/gpu/kernel_time.c -L"$cuda/lib64" -lcupti \
            -Wl,-rpath,"$cuda/lib64" || return 1
    fi
    [ ! -f "$rodinia/data/nn_files" ] || return 0
    mkdir -p "$rodinia/data"
    if [ ! -x "$maker" ]; then
        maker=$out/rodinia_inputs
        $cc -std=gnu11 -O2 -fopenmp-simd -Ibench/rodinia -Ibench -o "$maker" bench/gpu/rodinia_inputs.c -lm || return 1
    fi
    "$maker" "$rodinia/data"
}
built() { # name: its executable
    if [ -n "${prebuilt:-}" ]; then
        echo "$prebuilt/$1"
    else
        [ -x "$out/$1" ] || "$dslc" build --target=cuda bench/rodinia/"$1".dsl -o "$out/$1" >&2 || return 1
        echo "$out/$1"
    fi
}
timed() { # command ...: its kernels are in $out/trace
    rm -f "$out/trace"
    CUDA_INJECTION64_PATH=$lib KERNEL_TIME_OUT=$out/totals KERNEL_TIME_TRACE=$out/trace timeout "${LIMIT:-60}" "$@" \
        >"$out/said" 2>"$out/err" && [ -s "$out/trace" ]
}
# The last so many of the kernels (0: all) in $out/trace: launches, milliseconds of them, of others, span
count() { # launches, which, which of them count
    awk -v n="$1" -v which="$2" -v which2="$3" '
        { start[NR] = $1; len[NR] = $2; name[NR] = $3 " " $4; if ($3 !~ /^\(/ && $3 ~ which) at[++m] = NR }
        END {
            if (m < n || m == 0) exit 1
            first = n > 0 ? at[m - n + 1] : at[1]; last = at[m]
            for (i = first; i <= last; i++) {
                if (name[i] !~ /^\(/ && name[i] ~ which && name[i] ~ which2) { launches++; sum += len[i] }
                else if (name[i] !~ /^\(copy (to|back)/) others += len[i]
                if (start[i] + len[i] > end) end = start[i] + len[i]
            }
            printf "%d %.6f %.6f %.6f\n", launches, sum / 1e6, others / 1e6, (end - start[first]) / 1e6
        }' "$out/trace"
}
one() { # name: a run of each, two lines of numbers go to $out/NAME.dslc and $out/NAME.suite
    program=$(built "$1") || return 1
    timed env DSL_TARGET=cuda "$program" || { sed -n 1,3p "$out/err" >&2; return 1; }
    sed -n 's/^check //p' "$out/said" >"$out/found"
    keep "$1.dslc"
    count $(of "$ours" "$1" 2) >>"$out/$1.dslc" || { echo "$1: kernels of dslc are missing" >&2; return 1; }
    (cd "$rodinia/data" && timed "$rodinia/$1" $(of "$theirs" "$1" 4)) ||
        { echo "$1 of the suite:" >&2; sed -n 1,3p "$out/err" >&2; return 1; }
    keep "$1.suite"
    set -- "$1" $(of "$theirs" "$1" 2)
    [ "$2" != each ] || set -- "$1" 0 "$3"
    count "$2" "$3" . >"$out/numbers" || { echo "$1: kernels of the suite are missing" >&2; return 1; }
    # as many launches as dslc has, where their number is not given
    [ "$2" != 0 ] || awk -v n="$(tail -1 "$out/$1.dslc" | cut -d' ' -f1)" '{ for (i = 2; i <= 4; i++) $i *= n / $1; $1 = n; print }' \
        "$out/numbers" >"$out/scaled"
    if [ "$2" != 0 ]; then cat "$out/numbers"; else cat "$out/scaled"; fi >>"$out/$1.suite"
}
keep() { [ -z "${KEEP:-}" ] || { mkdir -p "$keep" && sort -k3nr "$out/totals" >"$keep/$1"; }; } # name.side
column() { awk -v c="$1" '{ print $c }' "$2"; }
agree() { # words of numbers in two files, up to rounding; nan and inf are like nothing
    paste -d' ' "$1" "$2" | awk -v t="$tolerance" '
        tolower($0) ~ /nan|inf/ { bad = 1 }
        { for (i = 1; i <= NF / 2; i++) { d = $i - $(i + NF / 2); if (!(d * d <= t * t * ($i * $i + 1e-20))) bad = 1 } }
        END { exit bad || NR != 1 }'
}
row() { # name: its line
    for run in $(seq "$runs"); do one "$1" || { echo "| $1 | failed | | | | | |"; return; }; done
    DSL_TARGET=cpu "$(built "$1")" 2>/dev/null | sed -n 's/^check //p' >"$out/right"
    agree "$out/right" "$out/found" || { echo "| $1 | wrong: $(cat "$out/found"), not $(cat "$out/right") | | | | | |"; return; }
    for side in dslc suite; do for c in 2 3 4; do column $c "$out/$1.$side" | median; done; done | tr '\n' ' ' |
        awk -v name="$1" '{
            printf "| %s | %.4f | %.4f | %.2f | %.4f, %.4f | %.3f, %.3f | %.2f |\n", name, $1, $4, $4 / $1, $2, $5, $3, $6, $6 / $3
        }'
}
table() {
    echo "# Rodinia's CUDA programs, $device, $(date +%Y-%m-%d)"
    echo
    echo "| program | dslc, ms of kernels | suite's CUDA, ms | times as fast | others, ms: dslc, suite | span, ms: dslc, suite | times as fast |"
    echo "|---|---|---|---|---|---|---|"
    for name in "$@"; do row "$name"; done
}
means() {
    awk -F'|' '$5 + 0 > 0 { n++; x += log($5); y += log($8) }
        END { if (n) printf "| geometric mean of %d | | | %.2f | | | %.2f |\n", n, exp(x / n), exp(y / n) }' "$out/table"
}
tools || exit 1
table "$@" | tee "$out/table"
means | tee -a "$out/table"
[ -z "$write" ] || keep_table rodinia-
! grep -q '| failed |\|wrong:' "$out/table"
