#!/bin/sh
# bench/compile_time.sh: milliseconds from source to C (median of RUNS, 11), for the shallow-water example and for
# generated programs of 1250, 2500 and 5000 lines, and loops that carry many variables: twice the program should take about
# twice the time.  Then what
# `dslc run` adds to a program that it has compiled before.
cd "$(dirname "$0")/.." || exit 1
dslc=${DSLC:-build/dslc} runs=${RUNS:-11} out=build/bench
mkdir -p "$out"

ms() { # command...: median wall time
    for i in $(seq "$runs"); do
        a=$(date +%s%N)
        "$@" >/dev/null 2>"$out/compile.log" || { sed -n 1,3p "$out/compile.log" >&2; return 1; }
        b=$(date +%s%N)
        echo $(((b - a) / 1000))
    done | sort -n | awk '{ x[NR] = $1 } END { printf "%.1f", x[int((NR + 1) / 2)] / 1000 }'
}

row() { printf '%-44s %10s ms\n' "$1" "$2"; }

row 'nothing: dslc --version' "$(ms "$dslc" --version)"
row "examples/shallow_water.dsl ($(wc -l <examples/shallow_water.dsl) lines)" "$(ms "$dslc" build --emit=c examples/shallow_water.dsl -o "$out/sw.c")"
for n in 1250 2500 5000; do
    build/gen 1 --lines $n >"$out/gen$n.dsl"
    row "generated, $(wc -l <"$out/gen$n.dsl") lines" "$(ms "$dslc" build --emit=c "$out/gen$n.dsl" -o "$out/gen.c")"
done
carried() { # n: a loop that carries n variables
    awk -v n="$1" 'BEGIN {
        print "fn f(k: int) -> f64 {"
        for (i = 0; i < n; i++) printf "    var v%d = %d.0\n", i, i
        print "    for t in 0:k {"
        for (i = 0; i < n; i++) printf "        v%d = v%d * 0.5 + v%d\n", i, i, (7 * i + 1) % n
        printf "    }\n    return v0"
        for (i = 1; i < n; i += 40) printf " + v%d", i
        print "\n}\nprint(f(3))"
    }'
}
for n in 1000 2000 4000; do
    carried $n >"$out/carried$n.dsl"
    row "a loop that carries $n variables" "$(ms "$dslc" build --emit=c "$out/carried$n.dsl" -o "$out/carried.c")"
done
printf 'print("hello")\n' >"$out/hello.dsl"
"$dslc" build "$out/hello.dsl" -o "$out/hello" && "$dslc" run "$out/hello.dsl" >/dev/null
row 'the executable of one print' "$(ms "$out/hello")"
row 'dslc run of it, compiled before' "$(ms "$dslc" run "$out/hello.dsl")"
