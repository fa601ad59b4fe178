#!/bin/sh
# Random programs, each run every way there is; all must print the same.
#   tests/fuzz.sh N [SEED]          N programs from SEED (default 1) on; exit 0 if none failed.  Failures stay in build/fuzz/
#   tests/fuzz.sh --one FILE        one program: prints "ok" or "FAIL what"
#   tests/fuzz.sh --keeps WHAT FILE exit 0 if FILE still fails with WHAT: for build/reduce
#   tests/fuzz.sh --races N [SEED]  N programs that are racy or not by construction: what `dslc check` proves or shows,
#                                   what the interpreter finds and, without races, what backends print must agree
#   tests/fuzz.sh --nests N [SEED]  N programs of ten functions and kernels that are nests of loops
#   tests/fuzz.sh --grads N [SEED]  N programs of functions that are differentiated: backward, forward and differences agree
#   tests/fuzz.sh --products N [SEED]  N programs of functions of matrices of small whole numbers, with --fp=reassoc: all sums
#                                   and products are exact, so no order and no rule may change a bit
#   tests/fuzz.sh --xla N [SEED]    N programs of numbers alone, and N of nests, by XLA: all that dslc can say in StableHLO must
#                                   give what the interpreter prints.  Needs build/xla/python (make test-xla) or $XLA_PYTHON
# FP=OPTIONS: for all but what the interpreter says first.
# DSLC=build/san/dslc takes another compiler.  JOBS: programs at a time (default: cores).  GEN: arguments of the generator.
# COMPILED=K: C is made of one program in K, which takes most of the time; the interpreter runs all of them.
# FIRST=255: begin no more when one failed.
# COMPILED=0: no C, but code in memory and the simulated GPU.
root=$(cd "$(dirname "$0")/.." && pwd)
dslc=${DSLC:-$root/build/dslc}
case $dslc in /*) ;; *) dslc=$PWD/$dslc ;; esac
gen=$root/build/gen
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY

limit() { # LATE: a file that has what was ended
    timeout -k 2 "${LIMIT:-20}" "$@"
    ended=$?
    case $ended in 124 | 137) [ -z "${LATE:-}" ] || echo "$*" >>"$LATE" ;; esac
    return $ended
}

# The first thing that goes wrong with a program, or "ok".  The interpreter at stage ir says what is right.
one() { # file, scratch folder, optimization of C, "-O0" to take that as well
    file=$1 work=$2 opt=${3:--O3} plain=${4--O0}
    limit "$dslc" check "$file" >"$work/check" 2>&1
    status=$?
    [ $status = 0 ] || { echo "FAIL check: exit $status: $(grep -o -m1 -E 'error\[[^]]*\].*|.*internal.*|.*runtime error.*' "$work/check")"; return; }
    for stage in ir par loops; do
        [ $stage = ir ] && fp="" || fp=${FP:-}
        limit "$dslc" interp --stage=$stage --verify-each $fp "$file" >"$work/$stage" 2>"$work/err"
        status=$?
        [ $status = 0 ] || { echo "FAIL interp $stage: exit $status: $(grep -m1 -E 'error|bug|internal' "$work/err")"; return; }
        ! grep -q '^wrong' "$work/$stage" || { echo "FAIL derivative: interp $stage: $(grep -m1 '^wrong' "$work/$stage")"; return; }
        cmp -s "$work/ir" "$work/$stage" || { echo "FAIL differs: interp $stage: $(diff "$work/ir" "$work/$stage" | sed -n 2p | cut -c1-60)"; return; }
    done
    [ "$opt" != none ] || { echo ok; return; }
    [ "$opt" = memory ] && plain="" opt=""
    for o in $plain $opt; do
        limit "$dslc" build $o ${FP:-} --thread-cost=1 "$file" -o "$work/exe" >"$work/err" 2>&1 ||
            { echo "FAIL build $o: exit $?: $(grep -m1 -E 'error|bug|internal' "$work/err")"; return; }
        [ "$o" = -O0 ] && threads=2 || threads="1 2 7"
        for t in $threads; do
            DSL_NUM_THREADS=$t limit "$work/exe" >"$work/out" 2>"$work/err"
            status=$?
            [ $status = 0 ] || { echo "FAIL run $o: exit $status: $(grep -m1 -E 'error' "$work/err")"; return; }
            cmp -s "$work/ir" "$work/out" || { echo "FAIL differs: C $o, $t threads: $(diff "$work/ir" "$work/out" | sed -n 2p | cut -c1-60)"; return; }
        done
    done
    in_memory "$file" "$work"
}

# The same as code in memory, where dslc has LLVM
in_memory() { # file, scratch folder
    for tier in quick optimized; do
        [ -f "$(dirname "$dslc")/libdslllvm.so" ] || break
        DSL_NUM_THREADS=2 limit "$dslc" run --no-tune --jit=$tier ${FP:-} --thread-cost=1 "$1" >"$2/out" 2>"$2/err"
        status=$?
        [ $status = 0 ] || { echo "FAIL run --jit=$tier: exit $status: $(grep -m1 -E 'error' "$2/err")"; return; }
        cmp -s "$2/ir" "$2/out" ||
            { echo "FAIL differs: --jit=$tier: $(diff "$2/ir" "$2/out" | sed -n 2p | cut -c1-60)"; return; }
    done
    in_simulator "$@"
}

# On the simulated GPU
in_simulator() {
    if [ -f "$(dirname "$dslc")/libdslllvm.so" ]; then
        DSL_NUM_THREADS=2 limit "$dslc" run --no-tune --target=sim --jit=optimized ${FP:-} "$1" >"$2/out" 2>"$2/err"
        status=$?
        [ $status = 0 ] || { echo "FAIL run --target=sim: exit $status: $(grep -m1 -E 'error' "$2/err")"; return; }
        cmp -s "$2/ir" "$2/out" ||
            { echo "FAIL differs: --target=sim: $(diff "$2/ir" "$2/out" | sed -n 2p | cut -c1-60)"; return; }
    fi
    echo ok
}

# What the first line says, then what the interpreter says: both "racy", or both "free"
race_label() { sed -n '1s/.*: free of races$/free/p; 1s/.*: free of races here$/here/p; 1s/.*: racy$/racy/p; 1s/.*: barriers \(a[a-z]*\)$/\1/p' "$1"; }
race_seen() { # file, scratch folder
    for seed in 1 2 3; do
        limit "$dslc" interp --races --seed=$seed "$1" >"$2/races" 2>&1
        status=$?
        [ $status = 0 ] && continue
        [ $status = 1 ] && grep -q 'error\[E063[02]\]' "$2/races" && { echo racy; return; }
        echo "exit $status: $(grep -m1 -E 'error|bug|internal' "$2/races")"
        return
    done
    echo free
}

# What the compiler says: shown (a race), conditional (a race for the values it names), proved (none), unknown
race_static() { # file, scratch folder
    limit "$dslc" check "$1" >"$2/check" 2>&1
    status=$?
    if [ $status = 1 ] && grep -q 'error\[E0501\]' "$2/check"; then echo shown
    elif [ $status = 1 ] && grep -q 'error\[E0417\]' "$2/check"; then echo apart
    elif [ $status = 1 ] && grep -q 'error\[E0423\]' "$2/check"; then echo unknown
    elif [ $status != 0 ]; then echo "exit $status: $(grep -m1 -E 'error|bug|internal' "$2/check")"
    elif grep -q 'warning\[W0502\]' "$2/check"; then echo conditional
    elif grep -q 'warning\[W0503\]' "$2/check"; then echo unknown
    else echo proved; fi
}

race_one() { # file, scratch folder, optimization
    label=$(race_label "$1") static=$(race_static "$1" "$2")
    case $label in
    alike | apart) # all threads of a block come to the barrier, or not
        case $label:$static in
        apart:apart | apart:unknown) echo "ok $label $static" ; return ;;
        alike:unknown) echo "ok $label $static" ; return ;;
        alike:proved) ;;
        *) echo "FAIL verdicts: made with barriers $label; the compiler: $static"; return ;;
        esac
    esac
    seen=$(race_seen "$1" "$2")
    case $label:$seen:$static in
    alike:free:proved | here:free:conditional) ;;
    here:free:unknown | here:free:proved) ;;
    racy:racy:shown | racy:racy:conditional | racy:racy:unknown | free:free:unknown | free:free:proved) ;;
    *) echo "FAIL verdicts: made to be $label; the interpreter: $seen; the compiler: $static"; return ;;
    esac
    if [ "$label" = free ] || { [ "$label" != racy ] && [ "$static" = proved ]; }; then
        r=$(one "$1" "$2" "$3" "")
        [ "$r" = ok ] || { echo "$r"; return; }
    fi
    echo "ok $label $static"
}

# How the C of a seed's program is compiled
level() { # seed
    if [ "${COMPILED:-1}" = 0 ]; then echo memory
    elif [ $(($1 % ${COMPILED:-1})) != 0 ]; then echo none
    elif [ $(($1 % 3)) = 0 ]; then echo -O3
    else echo -O1; fi
}

scratch() {
    work=$(mktemp -d "${TMPDIR:-/tmp}/dslc-fuzz.XXXXXX") && trap 'rm -rf "$work"' EXIT
    XDG_CACHE_HOME=$work # each program is built once: nothing to keep
    export XDG_CACHE_HOME
}

# Seeds first to first + n - 1, side by side; it ends when we are ended.
batch() { # --seed or --race-seed
    seq "$first" $((first + n - 1)) | xargs -P "${JOBS:-$(nproc)}" -I@ sh "$0" "$1" @ >"$log" 2>&1 &
    seeds=$!
    trap 'kill $seeds 2>/dev/null; exit 130' INT TERM HUP
    wait $seeds
    trap - INT TERM HUP
}

# A program as StableHLO, and what the interpreter prints: NAME.mlir and NAME.txt, or a line that says what went wrong
said() { # seed, folder, name, arguments of the generator
    file=$2/$3$1.dsl
    "$gen" "$1" --known $4 >"$file" || exit
    limit "$dslc" --emit=stablehlo "$file" -o "${file%.dsl}.mlir" 2>"$2/err"
    status=$?
    case $status in
    0) limit "$dslc" interp "$file" >"${file%.dsl}.txt" 2>/dev/null && ! grep -q '[.][.][.]' "${file%.dsl}.txt" ||
           rm -f "${file%.dsl}.mlir" ;; # it stops, or does not print all numbers
    1) ;; # no StableHLO says it
    *) echo "$3$1 FAIL emit: exit $status: $(grep -v warning "$2/err" | head -1)" ;;
    esac
}

by_xla() { # N, first seed
    python=${XLA_PYTHON:-$root/build/xla/python/bin/python} folder=$root/build/fuzz/xla
    [ -x "$python" ] || { echo "fuzz: without JAX: make test-xla installs it, or set XLA_PYTHON"; return 0; }
    rm -rf "$folder" && mkdir -p "$folder"
    for seed in $(seq "$2" $(($2 + $1 - 1))); do
        said "$seed" "$folder" p "$GEN"
        said "$seed" "$folder" nests "--nests 2"
    done >"$folder/log"
    # shellcheck disable=SC2046
    "$python" "$root/tests/stablehlo/xla.py" $(for m in "$folder"/*.mlir; do echo "$m" "${m%.mlir}.txt"; done) \
        2>"$folder/err" | sed "s|^$folder/||; s|[.]mlir||" >>"$folder/log"
    grep -v ' ok$' "$folder/log" | head -n 20 | sed "s|^|fuzz: build/fuzz/xla/|"
    echo "fuzz: $(grep -c ' ok$' "$folder/log") of $(ls "$folder"/*.mlir | wc -l) random programs agree with XLA, $(grep -vc ' ok$' "$folder/log") do not"
    ! grep -qv ' ok$' "$folder/log"
}

case ${1:-} in
--xla)
    [ -x "$gen" ] || make -C "$root" --no-print-directory build/gen >/dev/null || exit 1
    by_xla "$2" "${3:-1}"
    exit ;;
--one)
    scratch
    r=$(one "$2" "$work" "${3:--O3}")
    echo "$r"
    [ "$r" = ok ]
    exit ;;
--keeps)
    scratch
    case $(one "$3" "$work") in *"$2"*) exit 0 ;; esac
    exit 1 ;;
--seed) # internal: one seed of a batch
    scratch
    "$gen" "$2" $GEN >"$work/p.dsl" || exit
    r=$(one "$work/p.dsl" "$work" "$(level "$2")")
    [ "$r" = ok ] && { echo ok; exit; }
    cp "$work/p.dsl" "$root/build/fuzz/$2.dsl"
    echo "$2 $r"
    exit ${FIRST:-0} ;;
--race-seed) # internal: one seed of a batch
    scratch
    "$gen" "$2" --races >"$work/p.dsl" || exit
    r=$(race_one "$work/p.dsl" "$work" "$(level "$2")")
    case $r in ok*) echo "$r"; exit ;; esac
    cp "$work/p.dsl" "$root/build/fuzz/race$2.dsl"
    echo "$2 $r"
    exit ${FIRST:-0} ;;
--races)
    n=$2 first=${3:-1}
    mkdir -p "$root/build/fuzz"
    log=$root/build/fuzz/races.log
    batch --race-seed
    failed=$(grep -cv '^ok ' "$log")
    grep -v '^ok ' "$log" | sort -n | head -n 20 | sed 's/^/races: seed /'
    count() { grep -c "^ok $1\$" "$log"; }
    echo "races: $((n - failed)) of $n agree. Racy: $(count 'racy shown') shown, $(count 'racy conditional') for values named, $(count 'racy unknown') unknown." \
        "Free of races: $(count 'free proved') proved, $(count 'free unknown') unknown." \
        "In the launch that is made: $(count 'here proved') proved, $(count 'here conditional') for values named, $(count 'here unknown') unknown." \
        "Barriers alike: $(count 'alike proved') proved, $(count 'alike unknown') unknown; apart: $(count 'apart apart') shown, $(count 'apart unknown') unknown."
    [ "$failed" = 0 ]
    exit ;;
[0-9]* | --nests | --grads | --products) ;;
*) sed -n '2,17s/^# *//p' "$0"; exit 2 ;;
esac

case $1 in
--nests)
    GEN="--nests 10 $GEN"
    shift ;;
--grads)
    GEN="--grads 1 $GEN" LIMIT=${LIMIT:-60} COMPILED=${COMPILED:-4}
    export LIMIT COMPILED
    shift ;;
--products)
    GEN="--products 4 $GEN" COMPILED=${COMPILED:-4} FP="--fp=reassoc ${FP:-}"
    export COMPILED FP
    shift ;;
esac
n=$1 first=${2:-1}
export GEN
[ -x "$gen" ] || make -C "$root" --no-print-directory build/gen build/reduce >/dev/null || exit 1
mkdir -p "$root/build/fuzz"
log=$root/build/fuzz/log
batch --seed
failed=$(grep -cv '^ok$' "$log")
grep -v '^ok$' "$log" | sort -n | head -n 20 | while read -r seed rest; do
    echo "fuzz: seed $seed: $rest"
    what=$(echo "$rest" | sed "s/^FAIL //; s/: .*//; s/, .*//")
    echo "    again:  tests/fuzz.sh --one build/fuzz/$seed.dsl"
    echo "    reduce: build/reduce build/fuzz/$seed.dsl tests/fuzz.sh --keeps '$what'"
done
echo "fuzz: $((n - failed)) of $n random programs agree on every backend"
[ "$failed" = 0 ]
