#!/bin/sh
# tools/bench.sh [CASE...]: programs beside the same programs by hand in C.  A case is a name in bench/, or FOLDER/NAME; FOLDER/
# stands for all of it; none for all of bench/ itself.  The C is NAME_peer.c (OpenMP, written with care; matmul: one call of BLAS)
# or, in a published suite, NAME_omp.c (the suite's way) and NAME_best.c (with care), or of a suite in serial C alone
# NAME_serial.c, which also stands beside variants NAME_WAY.dsl of the program.
# The C is built as its users build it: -O3 -march=native -fopenmp (without it where it is serial), by gcc and by clang; and
# again with -ffp-contract=off, which is the arithmetic of dslc's --fp=strict: gcc and clang join a product and a sum of one
# expression unless told otherwise, as dslc does with --fp=contract.
# Prints milliseconds of one repetition, medians of RUNS (7) runs that alternate, at each of THREADS ("1 2"), and speedups, above
# 1 where dslc is faster: of dslc as it is over the faster of gcc and clang (plain), over the faster of the two with the same
# arithmetic (strict), of dslc --fp=contract over the faster of the two as users build them (contract); and geometric means.
# A line "# options: --fp=reassoc" of a program is for dslc; the column contract goes without that --fp.
# How threads wait is left to each, as for users.  LOCK=FILE takes that lock while a case is measured.
# Fails when results differ, by more than the TOLERANCE that the C states, else 1e-5.
# tools/bench.sh --check CASE...: only compares results: NAME.dsl, interpreted and compiled, and its C with OpenMP beside
# NAME_serial.c, with the sizes of the line "# small: NAME=VALUE ..." of NAME.dsl.  Those are -DNAME=VALUE for the C, in capitals.
cd "$(dirname "$0")/.." || exit 1
dslc=${DSLC:-build/dslc} runs=${RUNS:-7} threads=${THREADS:-1 2}
unset OMP_WAIT_POLICY
out=$(mktemp -d "${TMPDIR:-/tmp}/dslc-bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
check=
[ "${1:-}" != --check ] || { check=1; shift; }

serial_of() { if [ -f "bench/$1_serial.c" ]; then echo "bench/$1_serial.c"; else echo "bench/${1%_*}_serial.c"; fi; }
# What stands beside a case: words of peer, omp, best, serial
sides_of() { # case
    found=
    for side in peer omp best; do [ ! -f "bench/$1_$side.c" ] || found="$found $side"; done
    echo "${found:-serial}"
}
file_of() { if [ "$2" = serial ]; then serial_of "$1"; else echo "bench/$1_$2.c"; fi; } # case, side
# The int constants of a program of a suite in serial C as macros, small sizes last: its C has no sizes of its own
sizes_of() { # case
    [ "$(sides_of "$1")" != serial ] ||
        sed -n 's/^const \([a-z]*\) = \([0-9]*\)$/\1 \2/p' "bench/$1.dsl" | awk '{ printf "-U%s -D%s=%s ", toupper($1), toupper($1), $2 }'
}

expand() { # case or folder: the cases
    case $1 in
    */) for f in bench/"$1"*.dsl; do
            name=$1$(basename "$f" .dsl)
            [ ! -f "$(file_of "$name" "$(sides_of "$name" | awk '{ print $1 }')")" ] || echo "$name"
        done ;;
    *) echo "$1" ;;
    esac
}
[ $# -gt 0 ] || set -- $(ls bench/*_peer.c | sed 's|bench/||; s|_peer.c||')
set -- $(for name in "$@"; do expand "$name"; done)

compile() { # compiler, source, executable, options
    cc=$1 from=$2 to=$3
    shift 3
    case $from in *_serial.c) ;; *) set -- -fopenmp "$@" ;; esac
    "$cc" -w -O3 -march=native -Ibench "$@" "$from" -o "$to" -lm $(sed -n 's|.*LIBS: \(.*\) \*/|\1|p' "$from")
}
translate() { # case, executable, options
    name=$1 to=$2
    shift 2
    "$dslc" build --cc="${CC:-gcc}" -O3 $(sed -n 's/^# options: *//p' "bench/$name.dsl") "$@" "bench/$name.dsl" -o "$to" 2>"$out/log" || { sed -n 1,5p "$out/log" >&2; return 1; }
}

run() { # threads, file that gets the seconds, command...: prints the results
    t=$1 times=$2
    shift 2
    DSL_NUM_THREADS=$t OMP_NUM_THREADS=$t OPENBLAS_NUM_THREADS=$t "$@" >"$out/run.txt" 2>&1 || { sed -n 1,5p "$out/run.txt" >&2; return 1; }
    awk '$1 == "time" { print $2 }' "$out/run.txt" >>"$times"
    sed -n 's/^check //p' "$out/run.txt"
}

median() { sort -g "$1" | awk '{ x[NR] = $1 } END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'; }

tolerance() { # case
    found=$(sed -n 's|.*TOLERANCE: \([^ ]*\).*|\1|p' "$(serial_of "$1")" "bench/$1_peer.c" 2>"$out/log")
    echo "${found:-1e-5}"
}
same() { # case, what, results, other results: number by number; nan and inf are like nothing
    [ -n "$3" ] && awk -v a="$3" -v b="$4" -v tol="$(tolerance "$1")" 'BEGIN {
        n = split(a, x); if (n != split(b, y) || tolower(a b) ~ /nan|inf/) exit 1
        for (i = 1; i <= n; i++) {
            d = x[i] - y[i]; m = x[i] < 0 ? -x[i] : x[i]
            if (x[i] != y[i] && !((d < 0 ? -d : d) <= tol * m + tol * 1e-7)) exit 1
        } }' && return
    echo "$1: results differ, $2: $3 and $4"
    return 1
}

# Every way of running a case at its small size
verify() { # case
    sizes=$(sed -n 's/^# small: *//p' "bench/$1.dsl" | sed 's/[^ ]*=/-D&/g')
    csizes="$(sizes_of "$1") $(echo "$sizes" | tr '[:lower:]' '[:upper:]') -ffp-contract=off"
    compile gcc "$(serial_of "$1")" "$out/serial" $csizes && want=$(run 1 "$out/times" "$out/serial") || return
    got=$(run 1 "$out/times" "$dslc" interp $sizes "bench/$1.dsl") && same "$1" "interpreter and serial C" "$got" "$want" || return
    translate "$1" "$out/dsl" $sizes || return
    for t in 1 2; do
        got=$(run $t "$out/times" "$out/dsl") && same "$1" "$t threads and serial C" "$got" "$want" || return
    done
    for side in omp best; do
        [ -f "bench/$1_$side.c" ] || continue
        compile gcc "bench/$1_$side.c" "$out/c" $csizes && got=$(run 2 "$out/times" "$out/c") && same "$1" "$side and serial C" "$got" "$want" || return
    done
}

# Builds all ways of a case; `ways` are their names.
build_ways() { # case
    ways=dsl
    translate "$1" "$out/dsl" || return
    if "$dslc" --help | grep -q -e '--fp='; then
        ways="$ways contract"
        translate "$1" "$out/contract" --fp=contract || return
    fi
    for side in $(sides_of "$1"); do
        for cc in gcc clang; do
            ways="$ways $side-$cc $side-$cc-off"
            compile $cc "$(file_of "$1" $side)" "$out/$side-$cc" $(sizes_of "$1") &&
                compile $cc "$(file_of "$1" $side)" "$out/$side-$cc-off" -ffp-contract=off $(sizes_of "$1") || return
        done
    done
}

# The words, the first one last
turned() { if [ $# -lt 2 ]; then echo "$@"; else first=$1; shift; echo "$@ $first"; fi; }

# Runs them in turn, each round beginning with another one: what ran before decides on which cores threads start
time_ways() { # case, threads
    rm -f "$out"/*.times
    want= order=$ways
    for i in $(seq "$runs"); do
        order=$(turned $order)
        for way in $order; do
            got=$(run "$2" "$out/$way.times" "$out/$way") || return
            want=${want:-$got}
            same "$1" "$way and dsl" "$got" "$want" || return
        done
    done
}

# One line of the table for each side and number of threads
measure() { # case
    build_ways "$1" || return
    for t in $threads; do
        if [ -n "${LOCK:-}" ]; then exec 9>"$LOCK"; flock 9; fi
        time_ways "$1" "$t"
        status=$?
        exec 9>&-
        [ $status = 0 ] || return
        for way in $ways; do echo "$way $(median "$out/$way.times")"; done >"$out/medians"
        for side in $(sides_of "$1"); do
            awk -v name="$1" -v side="$side" -v t="$t" -v f="$out/ratios" '
                function least(a, b) { return a < b ? a : b }
                function over(a, b) { return b > 0 ? a / b : 0 }
                function cell(x, form) { return x > 0 ? sprintf(form, x) : "-" }
                { ms[$1] = 1e3 * $2 }
                END {
                    gcc = ms[side "-gcc"]; clang = ms[side "-clang"]; gcc_off = ms[side "-gcc-off"]; clang_off = ms[side "-clang-off"]
                    plain = over(least(gcc, clang), ms["dsl"]); strict = over(least(gcc_off, clang_off), ms["dsl"])
                    contract = over(least(gcc, clang), ms["contract"])
                    printf "%-24s %-6s %7d %10.3f %10s %10.3f %10.3f %10.3f %10.3f %7.2f %7.2f %8s\n", name, side, t, ms["dsl"],
                        cell(ms["contract"], "%.3f"), gcc, clang, gcc_off, clang_off, plain, strict, cell(contract, "%.2f")
                    if (plain > 0 && strict > 0) print side, t, plain, strict, contract >>f
                }' "$out/medians"
        done
    done
}

bad=0
if [ -n "$check" ]; then
    for name in "$@"; do verify "$name" || { echo "$name: failed"; bad=1; }; done
    exit $bad
fi
printf '%-24s %-6s %7s %10s %10s %10s %10s %10s %10s %7s %7s %8s\n' case beside threads 'dslc ms' 'contract' 'gcc ms' 'clang ms' gcc-off clang-off \
    plain strict contract
: >"$out/ratios"
for name in "$@"; do measure "$name" || { echo "$name: failed"; bad=1; }; done
awk '{
        k = $1 " " $2
        if (!(k in n)) order[++kinds] = k
        n[k]++; p[k] += log($3); s[k] += log($4); if ($5 > 0) c[k] += log($5); else none[k] = 1
    } END {
        for (i = 1; i <= kinds; i++) {
            k = order[i]; split(k, w)
            line = sprintf("geometric means of %d beside %s, %d thread%s: plain %.3f, strict %.3f", n[k], w[1], w[2], (w[2] + 0 == 1 ? "" : "s"),
                exp(p[k] / n[k]), exp(s[k] / n[k]))
            print line (none[k] ? "" : sprintf(", contract %.3f", exp(c[k] / n[k])))
        } }' "$out/ratios"
exit $bad
