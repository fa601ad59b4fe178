#!/bin/sh
# bench/gradbench/table.sh [SUITE]: milliseconds of each program and of its derivative at two sizes, the median of the runs that fit
# into SECONDS (0.3), one thread.  SUITE is a clone of GradBench with tools/manual and, for a column more, tools/enzyme built
# (make -C tools/manual): beside each stands the time of its hand-written derivatives.  PART: only programs of this name.
here=$(cd "$(dirname "$0")" && pwd)
suite=$1 seconds=${SECONDS_EACH:-0.3} part=${PART:-.}
out=$(mktemp -d "${TMPDIR:-/tmp}/gradbench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
adapter=${ADAPTER:-$out/adapter}
[ -n "${ADAPTER:-}" ] || "$here/build.sh" "$out" || exit 1
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

median() { # of numbers behind "nanoseconds":, in milliseconds
    grep -o '"name": "evaluate", "nanoseconds": [0-9]*' "$1" | grep -o '[0-9]*$' | sort -n |
        awk '{ x[NR] = $1 } END { if (NR) printf "%.4g", x[int((NR + 1) / 2)] / 1e6; else printf "-" }'
}
ours() { # module function
    { printf '{"id":0,"kind":"evaluate","module":"%s","function":"%s","input":' "$1" "$2"; cat "$out/input"; echo '}'; } |
        tr -d '\n' >"$out/message"
    echo >>"$out/message"
    "$adapter" <"$out/message" >"$out/answer" && median "$out/answer"
}
theirs() { # tool module function
    [ -x "$suite/tools/$1/bin/$2" ] || { printf -- -; return; }
    "$suite/tools/$1/bin/$2" "$out/input" "$3" >"$out/answer" 2>"$out/error" && median "$out/answer" || printf -- -
}
printf '| program | size | primal | derivative | ratio | manual primal | manual derivative | Enzyme derivative | derivative / manual |\n'
printf '|---|---|---|---|---|---|---|---|---|\n'
while read -r module size primal derivative; do
    echo "$module" | grep -q "$part" || continue
    awk -f "$here/inputs.awk" -v module="$module" -v size="$size" -v seconds="$seconds" >"$out/input"
    p=$(ours "$module" "$primal") d=$(ours "$module" "$derivative")
    mp=$(theirs manual "$module" "$primal") md=$(theirs manual "$module" "$derivative") ed=$(theirs enzyme "$module" "$derivative")
    echo "$module $size $p $d $mp $md $ed" | awk '{
        ratio = (($3 > 0) ? sprintf("%.1f", $4 / $3) : "-"); more = (($6 > 0) ? sprintf("%.2f", $4 / $6) : "-")
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, ratio, $5, $6, $7, more }'
done <<'END'
hello - square double
gmm d=10,k=5 objective jacobian
gmm d=32,k=25 objective jacobian
ba n=21,m=300,p=2000 objective jacobian
ba n=49,m=7776,p=31843 objective jacobian
ht c=100 objective jacobian
ht c=1600 objective jacobian
lstm l=2,c=1024 objective jacobian
lstm l=4,c=1024 objective jacobian
lse n=40000 primal gradient
lse n=1280000 primal gradient
llsq n=1024 primal gradient
llsq n=16392 primal gradient
det l=6 primal gradient
det l=8 primal gradient
kmeans k=10,n=1000,d=8 cost dir
kmeans k=100,n=10000,d=16 cost dir
ode n=1000,s=10 primal gradient
ode n=100000,s=10 primal gradient
particle - ff rr
saddle - ff rr
END
