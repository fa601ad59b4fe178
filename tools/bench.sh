#!/bin/sh
# tools/bench.sh [CASE...]: programs beside the same programs by hand in C with OpenMP.  A case is a name in bench/, or
# FOLDER/NAME; FOLDER/ stands for all of it; none for all of bench/ itself.  The peer is NAME_peer.c (written with care;
# matmul: one call of BLAS) or, in a published suite, NAME_omp.c (the suite's way) and NAME_best.c (with care), if there;
# of a suite in serial C alone, NAME_serial.c by gcc -O3 and by clang -O3, also for variants NAME_WAY.dsl of the program.
# Prints milliseconds of one repetition, medians of RUNS (7) runs that alternate, at each of THREADS ("1 2"); the ratio
# dslc/peer, below 1 dslc is faster, or of a suite the speedup omp/dslc, gcc/dslc, clang/dslc and that over the better of
# the two, above 1 dslc is faster; for a program with care as well best/dslc; and geometric means.
# Fails when results differ, by more than the TOLERANCE that NAME_serial.c states, else 1e-5.
# tools/bench.sh --check CASE...: only compares results: NAME.dsl, interpreted and compiled, and its C with OpenMP beside
# NAME_serial.c, with the sizes of the line "# small: NAME=VALUE ..." of NAME.dsl.  Those are -DNAME=VALUE for the C, in capitals.
cd "$(dirname "$0")/.." || exit 1
dslc=${DSLC:-build/dslc} runs=${RUNS:-7} threads=${THREADS:-1 2}
# what dslc build -O3 passes to its compiler
CFLAGS="-std=gnu11 -O3 -march=native -fopenmp -ffp-contract=off -fwrapv -fno-math-errno -fno-trapping-math -Ibench"
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY
out=$(mktemp -d "${TMPDIR:-/tmp}/dslc-bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
check=
[ "${1:-}" != --check ] || { check=1; shift; }

serial_of() { if [ -f "bench/$1_serial.c" ]; then echo "bench/$1_serial.c"; else echo "bench/${1%_*}_serial.c"; fi; }
is_serial_suite() { [ -f "$(serial_of "$1")" ] && [ ! -f "bench/$1_omp.c" ]; }
# The int constants of a program of such a suite as macros, small sizes last: its C has no sizes of its own
sizes_of() { # case, file
    ! is_serial_suite "$1" || sed -n 's/^const \([a-z]*\) = \([0-9]*\)$/\1 \2/p' "bench/$1.dsl" | awk '{ printf "-U%s -D%s=%s ", toupper($1), toupper($1), $2 }'
}

expand() { # case or folder: the cases
    case $1 in
    */) for f in bench/"$1"*.dsl; do
            name=$1$(basename "$f" .dsl)
            [ ! -f "$(serial_of "$name")" ] || echo "$name"
        done ;;
    *) echo "$1" ;;
    esac
}
[ $# -gt 0 ] || set -- $(ls bench/*_peer.c | sed 's|bench/||; s|_peer.c||')
set -- $(for name in "$@"; do expand "$name"; done)

compile() { # source, executable, defines
    from=$1 to=$2
    shift 2
    ${CC:-gcc} $CFLAGS "$@" "$from" -o "$to" -lm $(sed -n 's|.*LIBS: \(.*\) \*/|\1|p' "$from")
}
by_itself() { # compiler, source, executable, defines: as a user would, serial
    cc=$1 from=$2 to=$3
    shift 3
    "$cc" -O3 -march=native -Ibench "$@" "$from" -o "$to" -lm
}
translate() { # case, executable, defines
    name=$1 to=$2
    shift 2
    "$dslc" build --cc="${CC:-gcc}" -O3 "$@" "bench/$name.dsl" -o "$to" 2>"$out/log" || { sed -n 1,5p "$out/log" >&2; return 1; }
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
    found=$(sed -n 's|.*TOLERANCE: \([^ ]*\).*|\1|p' "$(serial_of "$1")" 2>"$out/log")
    echo "${found:-1e-5}"
}
same() { # case, what, results, other results: number by number
    [ -n "$3" ] && awk -v a="$3" -v b="$4" -v tol="$(tolerance "$1")" 'BEGIN {
        n = split(a, x); if (n != split(b, y)) exit 1
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
    csizes="$(sizes_of "$1") $(echo "$sizes" | tr '[:lower:]' '[:upper:]')"
    compile "$(serial_of "$1")" "$out/serial" -w $csizes && want=$(run 1 "$out/times" "$out/serial") || return
    got=$(run 1 "$out/times" "$dslc" interp $sizes "bench/$1.dsl") && same "$1" "interpreter and serial C" "$got" "$want" || return
    translate "$1" "$out/dsl" $sizes || return
    for t in 1 2; do
        got=$(run $t "$out/times" "$out/dsl") && same "$1" "$t threads and serial C" "$got" "$want" || return
    done
    for kind in omp best; do
        [ -f "bench/$1_$kind.c" ] || continue
        compile "bench/$1_$kind.c" "$out/c" $csizes && got=$(run 2 "$out/times" "$out/c") && same "$1" "$kind and serial C" "$got" "$want" || return
    done
}

# One line of the table for each number of threads
measure() { # case
    kinds=dsl
    translate "$1" "$out/dsl" || return
    for kind in peer omp best; do
        [ -f "bench/$1_$kind.c" ] || continue
        kinds="$kinds $kind"
        compile "bench/$1_$kind.c" "$out/$kind" || return
    done
    if is_serial_suite "$1"; then
        kinds="dsl gcc clang"
        for cc in gcc clang; do by_itself $cc "$(serial_of "$1")" "$out/$cc" $(sizes_of "$1") || return; done
        want=$(run 1 "$out/times" "$out/gcc") || return
    elif [ -f "bench/$1_serial.c" ]; then
        compile "bench/$1_serial.c" "$out/serial" && want=$(run 1 "$out/times" "$out/serial") || return
    else
        want=$(run 1 "$out/times" "$out/peer") || return
    fi
    for t in $threads; do
        rm -f "$out"/*.times
        for i in $(seq "$runs"); do
            for kind in $kinds; do
                got=$(run "$t" "$out/$kind.times" "$out/$kind") && same "$1" "$kind" "$got" "$want" || return
            done
        done
        for kind in $kinds; do echo "$kind $(median "$out/$kind.times")"; done | awk -v n="$1" -v t="$t" -v f="$out/ratios" -v g="$out/best_ratios" '
            { ms[$1] = 1e3 * $2 }
            END {
                if ("gcc" in ms) {
                    gcc = ms["gcc"] / ms["dsl"]; clang = ms["clang"] / ms["dsl"]; best = gcc < clang ? gcc : clang
                    printf "%-25s %7d %10.3f %10.3f %10.3f %9.2f %10.2f %9.2f\n", n, t, ms["dsl"], ms["gcc"], ms["clang"], gcc, clang, best
                    print t, gcc, clang, best >>f
                    exit
                }
                suite = "omp" in ms; peer = suite ? ms["omp"] : ms["peer"]
                if (ms["dsl"] <= 0 || peer <= 0) exit
                r = suite ? peer / ms["dsl"] : ms["dsl"] / peer
                printf "%-22s %7d %11.3f %11.3f %7.2f", n, t, ms["dsl"], peer, r
                print "best" in ms ? sprintf(" %11.3f %9.2f", ms["best"], ms["best"] / ms["dsl"]) : ""
                print t, r >>f
                if ("best" in ms) print t, ms["best"] / ms["dsl"] >>g
            }'
    done
}

bad=0
if [ -n "$check" ]; then
    for name in "$@"; do verify "$name" || { echo "$name: failed"; bad=1; }; done
    exit $bad
fi
if is_serial_suite "$1"; then
    printf '%-25s %7s %10s %10s %10s %9s %10s %9s\n' case threads 'dslc ms' 'gcc ms' 'clang ms' gcc/dslc clang/dslc best/dslc
elif [ -f "bench/${1}_omp.c" ]; then
    printf '%-22s %7s %11s %11s %7s %11s %9s\n' case threads 'dslc ms' 'omp ms' omp/dslc 'best ms' best/dslc
else
    printf '%-22s %7s %11s %11s %7s\n' case threads 'dslc ms' 'peer ms' ratio
fi
: >"$out/ratios"
: >"$out/best_ratios"
for name in "$@"; do measure "$name" || { echo "$name: failed"; bad=1; }; done
mean() { # file of ratios, what they are
    for t in $threads; do
        awk -v t="$t" -v what="$2" '$1 == t { for (i = 2; i <= NF; i++) s[i] += log($i); n++; k = NF } END {
            if (!n) exit
            printf "geometric mean of %d %s, %d thread%s:", n, what, t, (t > 1 ? "s" : "")
            for (i = 2; i <= k; i++) printf " %.3f", exp(s[i] / n)
            printf "\n" }' "$1"
    done
}
mean "$out/ratios" ratios
mean "$out/best_ratios" "ratios best/dslc"
exit $bad
