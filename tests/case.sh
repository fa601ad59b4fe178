#!/bin/sh
# Runs one test case: tests/case.sh KIND FILE [-D k=v ...].  Prints "ok KIND NAME SECONDS" (of processor time) or
# "FAIL KIND NAME" with what went wrong.  Called by tests/run.sh; can be called by hand.  FIRST=255: the status of a case
# that fails, with which xargs begins no more.
kind=$1 file=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
case $file in /*) ;; *) file=$PWD/$file ;; esac
dslc=${DSLC:-$root/build/dslc}
name=${file#"$root"/}
work=$(mktemp -d "${TMPDIR:-/tmp}/dslc-test.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=

fail() { # what, and a file to show
    bad=1
    echo "FAIL $kind $name: $1"
    [ -z "${2:-}" ] || sed -n '1,12s/^/    /p' "$2"
}
same() { # expected, got, what
    cmp -s "$1" "$2" || { diff -u "$1" "$2" >"$work/diff" 2>&1; fail "$3" "$work/diff"; }
}
# Words are the same, or numbers that differ by a few units in the last place of a float of 32 bits
about() { # expected, got, what
    tr -s '[] ' '\n' <"$1" >"$work/words" && tr -s '[] ' '\n' <"$2" | paste "$work/words" - >"$work/pairs"
    awk 'function abs(x) { return x < 0 ? -x : x }
        $1 != $2 && abs($1 - $2) > 1e-5 * abs($1) + 1e-9 { exit 1 }
        $1 != $2 && ($1 + 0 == 0 && $1 !~ /^[-+]?0/ || NF != 2) { exit 1 }' "$work/pairs" || same "$@"
}
same=same
no_crash() { # status, what, output: a compiler may refuse (1) but never break (3, signals) or run on (124)
    case $1 in 0 | 1) ;; *) fail "$2: exit status $1" "$3" ;; esac
}
# Ends what runs for too long; LATE: a file that then has its command, for who must know a slow machine from a hang
limit() {
    timeout -k 5 "${LIMIT:-120}" "$@"
    ended=$?
    case $ended in 124 | 137) [ -z "${LATE:-}" ] || echo "$*" >>"$LATE" ;; esac
    return $ended
}

# A folder to run the program in, with its data
prepare() { # source, [expected output]
    src=$1 want=${2:-}
    mkdir -p "$work/d"
    [ ! -d "$(dirname "$src")/data" ] || cp -r "$(dirname "$src")/data" "$work/d/"
}
here() ( cd "$work/d" && "$@" )
# One way of running it, which prints what is expected, or what the first one printed
one() { # label, command...
    label=$1
    shift
    here limit "$@" >"$work/out" 2>&1
    status=$?
    no_crash $status "$label" "$work/out"
    echo "exit $status" >>"$work/out"
    [ -n "$want" ] || { cp "$work/out" "$work/want"; want=$work/want; }
    $same "$want" "$work/out" "$label"
}

# One of these words, by the program's name
turn() { printf '%s' "$name" | cksum | awk -v words="$*" '{ n = split(words, w, " "); print w[$1 % n + 1] }'; }

# Most of the time goes by in compilers at -O3: one of the two has its turn there, the other at -O1, and of long programs
# one of the four, unless EVERY is set (make test-compilers)
compilers() {
    [ -z "${EVERY:-}" ] || { echo gcc:-O0 gcc:-O3 clang:-O3; return; }
    if [ "$("$dslc" --emit=c -O3 $defines "$src" -o - 2>/dev/null | wc -l)" -gt 2000 ]; then
        echo gcc:-O0 $(turn gcc:-O1 gcc:-O3 clang:-O1 clang:-O3)
    else
        echo gcc:-O0 $(turn gcc:-O1 gcc:-O3) $(turn clang:-O3 clang:-O1)
    fi
}

# The compiler, that lets no warning pass; at -O3 gcc finds indices out of bounds where no turn comes
strict() {
    echo "${1%%:*} -Wall -Wextra -Werror$([ "$1" != gcc:-O3 ] || echo " -Wno-array-bounds -Wno-stringop-overflow")"
}

# All ways of running one program; each must print the same and end alike.
run_everywhere() { # source, [expected output]
    prepare "$@"
    for stage in ir par loops; do
        one "interpreter at $stage" "$dslc" interp --stage=$stage --verify-each $defines "$src"
        [ -z "$bad" ] || return
    done
    for cc in $(compilers); do
        opt=${cc#*:} exe=$work/prog-${cc%%:*}$opt
        if ! here limit "$dslc" build --cc="$(strict $cc)" "$opt" $defines "$src" -o "$exe" >"$work/log" 2>&1; then
            fail "build with $cc" "$work/log"
            return
        fi
        [ "$opt" = -O3 ] && threads="1 2 7" || threads=2
        for t in $threads; do
            one "$cc with $t threads" env DSL_NUM_THREADS=$t "$exe"
        done
    done
    level=$(turn quick optimized)
    in_memory $level $(turn tiered-wait tiered-race tiered-race)
    ! grep -q '^ *launch \|^ *parallel ' "$src" || simulated $level
}

# As code in memory, where dslc has LLVM; which tiers: tiered-race exchanges code as the program runs, tiered-wait before
in_memory() {
    [ -f "$(dirname "$dslc")/libdslllvm.so" ] || return
    for tier in "$@"; do
        for t in ${THREADS:-2}; do
            one "--jit=$tier with $t threads" env DSL_NUM_THREADS=$t DSL_LLVM_VERIFY=1 DSL_LLVM_TIERS=${tier#*-} "$dslc" run --no-tune \
                --jit=${tier%-*} $defines "$src"
        done
    done
}

# As a GPU would run it, on the simulator, where dslc has LLVM
simulated() {
    [ -f "$(dirname "$dslc")/libdslllvm.so" ] || return
    for t in ${THREADS:-2}; do
        for tier in "$@"; do
            one "--target=sim --jit=$tier with $t threads" env DSL_NUM_THREADS=$t DSL_LLVM_VERIFY=1 "$dslc" run --no-tune --target=sim \
                --jit=$tier $defines "$src"
        done
    done
}

# By several processes, where dslc has MPI
by_processes() {
    [ -f "$(dirname "$dslc")/libdslmpi.a" ] || return
    for n in "$@"; do
        one "$n processes" env DSL_NUM_THREADS=1 DSL_MPI_LEAST=$((n % 2 * 3000)) DSL_MPI_POISON=1 sh -c '"$@" 2>messages; s=$?; cat messages; exit $s' \
            run "$dslc" run --no-tune --target=mpi --processes=$n $defines "$src" # mpirun hands on messages when it likes
    done
}

# parse(print(ir)) prints the same, at every stage
round_trip() {
    for stage in ir par loops; do
        if ! limit "$dslc" --emit=$stage $defines "$1" -o "$work/$stage.ir" >"$work/log" 2>&1; then
            fail "--emit=$stage" "$work/log"
            return
        fi
        limit "$dslc" opt "$work/$stage.ir" -o "$work/again.ir" >"$work/log" 2>&1 || fail "reading $stage back" "$work/log"
        same "$work/$stage.ir" "$work/again.ir" "round trip at $stage"
    done
}

defines=$*
# "# dslc run --link=FILE.c ..." on the first line: a C file beside the program
linked=$(sed -n '1s/^# dslc run --link=\([^ ]*[.]c\) .*/\1/p' "$file" 2>/dev/null)
[ -z "$linked" ] || defines="$defines --link=$(dirname "$file")/$linked"
# "# dslc run -Wno-NAME FILE" there: what the program does on purpose
defines="$defines $(sed -n '1s/^# dslc run \(\(-Wno-[a-z-]* \)*\).*/\1/p' "$file" 2>/dev/null)"
case $kind in
unit) limit "$file" >"$work/out" 2>&1 || fail "unit test" "$work/out" ;;
syntax)
    ( cd "$(dirname "$file")" && limit "$dslc" --emit=ast "$(basename "$file")" ) >"$work/out" 2>"$work/err"
    no_crash $? "--emit=ast" "$work/err"
    if [ -f "${file%.dsl}.err" ]; then
        same "${file%.dsl}.err" "$work/err" "diagnostics"
    else
        same "${file%.dsl}.ast" "$work/out" "tree"
        [ ! -s "$work/err" ] || fail "unexpected messages" "$work/err"
    fi ;;
error) # dslc check by default; "# RUN: run" on the first line runs the program, on the interpreter and in C; "-Wname" there is given
    how=$(sed -n '1s/^# RUN: *//p' "$file")
    given=$(printf '%s\n' $how | grep '^-' || true)
    how=$(printf '%s\n' $how | grep -v '^-' || true)
    base=$(basename "$file")
    mkdir "$work/src" # with the folders beside it
    cp -r "$file" "$(dirname "$file")"/*/ "$work/src"
    case " $how " in *" run "*) [ ! -f "$(dirname "$dslc")/libdslllvm.so" ] || how="$how jit sim" ;; esac
    for cmd in ${how:-check}; do
        case $cmd in
        check) set -- "$dslc" check $given "$base" ;;
        run) set -- "$dslc" run "$base" ;;
        jit) set -- "$dslc" run --jit=quick "$base" ;;
        sim) set -- "$dslc" run --target=sim --jit=quick "$base" ;;
        interp) set -- "$dslc" interp "$base" ;;
        notebook) set -- "$dslc" notebook "$base" -o page.html ;;
        lib) set -- "$dslc" build --lib "$base" ;;
        *) fail "unknown RUN word '$cmd'"; break ;;
        esac
        ( cd "$work/src" && LC_ALL=C limit "$@" ) >"$work/out" 2>"$work/err" </dev/null
        status=$?
        same "${file%.dsl}.err" "$work/err" "diagnostics of $cmd"
        [ $status = 1 ] || grep -q 'warning\[' "$work/err" || fail "$cmd: exit status $status, not 1" "$work/err"
    done ;;
type) limit "$dslc" check "$file" >"$work/out" 2>&1 || fail "check" "$work/out" ;;
pass) # each "# RUN:" line is a shell command; %s is the file
    filecheck=$(command -v FileCheck-19 || command -v FileCheck || echo /usr/lib/llvm-19/bin/FileCheck)
    sed -n 's/^[#;/ ]*RUN: *//p' "$file" >"$work/cmds"
    [ -s "$work/cmds" ] || fail "no RUN line"
    PATH=$(dirname "$dslc"):$PATH
    mkdir -p "$work/bin"
    ln -sf "$filecheck" "$work/bin/FileCheck"
    PATH=$work/bin:$PATH
    while read -r line; do
        cmd=$(printf '%s' "$line" | sed "s|%s|$file|g; s|%t|$work/t|g")
        ( set -e; eval "$cmd" ) >"$work/out" 2>&1 || fail "$line" "$work/out"
    done <"$work/cmds" ;;
ir)
    limit "$dslc" opt "$file" -o "$work/1.ir" >"$work/log" 2>&1 || fail "read" "$work/log"
    limit "$dslc" opt "$work/1.ir" -o "$work/2.ir" >"$work/log" 2>&1 || fail "read back" "$work/log"
    same "$work/1.ir" "$work/2.ir" "round trip" ;;
run)
    run_everywhere "$file" "${file%.dsl}.out"
    round_trip "$file" ;;
warnings) # the C of what no case runs compiles without a warning: clang needs no code for that, gcc's optimizer sees one level
    for level in 0 2; do
        limit "$dslc" --emit=c -O$level "$file" -o "$work/t.c" >"$work/log" 2>&1 || { fail "--emit=c -O$level" "$work/log"; break; }
        for cc in "gcc $([ $level = 2 ] && echo -O1 -c || echo -fsyntax-only)" "clang -fsyntax-only"; do
            limit $cc -std=gnu11 -Wall -Wextra -Werror -fopenmp -ffp-contract=off -fwrapv -fno-math-errno -I"$root/runtime" \
                -o "$work/t.o" "$work/t.c" >"$work/log" 2>&1 || fail "$cc on the C at -O$level" "$work/log"
        done
    done ;;
jit) # by all tiers, with any number of threads
    expected=${file%.dsl}.out
    prepare "$file" "$(grep -q '^exit ' "$expected" 2>/dev/null && echo "$expected")"
    [ -n "$want" ] || one "interpreter" "$dslc" interp --stage=loops $defines "$src"
    THREADS="1 2 7" in_memory quick optimized tiered-race tiered-wait ;;
sim) # on the simulated GPU
    expected=${file%.dsl}.out
    prepare "$file" "$(grep -q '^exit ' "$expected" 2>/dev/null && echo "$expected")"
    [ -n "$want" ] || one "interpreter" "$dslc" interp --stage=loops $defines "$src"
    THREADS=1 simulated quick
    THREADS="2 7" simulated optimized ;;
example)
    run_everywhere "$file"
    round_trip "$file" ;;
mpi) # by several processes: all loops are parted, or those that have some work; rows that are out of date are spoilt
    expected=${file%.dsl}.out
    prepare "$file" "$(grep -q '^exit ' "$expected" 2>/dev/null && echo "$expected")"
    [ -n "$want" ] || one "interpreter" "$dslc" interp --stage=loops $defines "$src"
    by_processes 2 3 ;;
gpu) # on the GPU; what adds floats by atomic in a launch may differ in the last bits there
    expected=${file%.dsl}.out
    prepare "$file" "$(grep -q '^exit ' "$expected" 2>/dev/null && echo "$expected")"
    [ -n "$want" ] || one "interpreter" "$dslc" interp --stage=loops $defines "$src"
    "$dslc" --emit=ptx $defines "$src" 2>/dev/null | grep -q '^[^/]*\(atom\|red\)[^ ]*[.]add[.]f' && same=about
    one "--target=cuda" "$dslc" run --no-tune --target=cuda $defines "$src" ;;
lang) limit "$dslc" test -O0 "$file" >"$work/out" 2>&1 || fail "dslc test" "$work/out" ;;
notebook) # what its cells put out is what FILE.out has
    cp -r "$(dirname "$file")" "$work/d"
    ( cd "$work/d" && limit "$dslc" notebook --check "$(basename "$file")" "$@" ) >"$work/out" 2>&1 || fail "notebook --check" "$work/out" ;;
repl) # lines of a session, from a pipe; what it prints and says
    ( cd "$work" && limit "$dslc" repl <"$file" ) >"$work/out" 2>&1
    no_crash $? "the session" "$work/out"
    same "${file%.repl}.out" "$work/out" "session" ;;
terminal) # a session on a terminal, typed by expect
    ( cd "$work" && HOME=$work XDG_STATE_HOME=$work/state DSLC=$dslc TERM=xterm limit expect "$file" ) >"$work/out" 2>&1 || fail "session" "$work/out" ;;
script) ( cd "$work" && DSLC=$dslc ROOT=$root LIMIT=${LIMIT:-300} limit sh "$file" ) >"$work/out" 2>&1 || fail "script" "$work/out"
    sed -n "s|^SKIPPED:|$name: skipped:|p" "$work/out" ;;
*) fail "unknown kind" ;;
esac
[ -z "$bad" ] || exit ${FIRST:-1}
times >"$work/times"
echo "ok $kind $name $(awk -F'[ms ]+' 'NR == 2 { print 60 * ($1 + $3) + $2 + $4 }' "$work/times")"
