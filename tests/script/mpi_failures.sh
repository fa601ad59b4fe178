# Of several processes (docs/mpi.md) one fails, leaves, is ended, or does something else than the others: one message with
# its place, a status, and nobody waits for ever.
. "$ROOT/tests/script/lib.inc"
[ -f "$ROOT/build/libdslmpi.a" ] || exit 0
export DSL_NUM_THREADS=1 DSL_MPI_LEAST=0
by() { # processes, arguments of dslc run
    n=$1
    shift
    timeout 60 "$DSLC" run --no-tune --processes="$n" "$@"
}
fails() { # status, text in the only message, place or "", arguments of dslc run: by 2 and 3 processes
    want=$1 text=$2 at=$3
    shift 3
    for n in 2 3; do
        by $n "$@" >printed 2>told && got=0 || got=$?
        [ "$got" = "$want" ] || { echo "status $got, not $want, by $n processes: $*"; cat printed told; exit 1; }
        [ "$(grep -c 'error\[' told)" = 1 ] && grep -qF -e "$text" told || { echo "by $n processes, $*:"; cat told; exit 1; }
        [ -z "$at" ] || grep -q "^$at: error" told || { echo "not at $at by $n processes:"; cat told; exit 1; }
        ! grep -q "after" printed || { echo "what comes behind a failure is printed: $*"; exit 1; }
    done
}

# What one process sees: an index, a division, an assertion in a function, a recursion, in loops that are parted
cat >one.dsl <<'D'
arg how: int = 0
let at = [if i == 17 { 99 } else { i } for i in 0:30]
fn checked(i: int) -> int {
    assert i != 99, "ninety-nine"
    return i
}
fn deep(k: int) -> int = if k < 0 { 1 } else { 1 + 2 * deep(k + 1) }
print("before")
var y = zeros(int, 30)
if how == 0 { parallel for i in 0:30 { y[i] = at[at[i]] } }
if how == 1 { parallel for i in 0:30 { y[i] = 7 // (99 - at[i]) } }
if how == 2 { parallel for i in 0:30 { y[i] = checked(at[i]) } }
if how == 3 { parallel for i in 0:30 { if at[i] == 99 { y[i] = deep(i) } } }
if how == 4 { for i in 0:30 { y[i] = sum([checked(at[i]) + j * y[i] for j in 0:20]) } } # turns that are parted
print("after", sum(y))
D
fails 1 "index 99 is out of bounds for axis 0 with size 30" one.dsl:10:47 one.dsl -- --how=0
fails 1 "integer division or modulo by zero" one.dsl:11:47 one.dsl -- --how=1
fails 1 "assertion failed: ninety-nine" one.dsl:4:5 one.dsl -- --how=2
fails 1 "more than 10000 calls" one.dsl:7:4 one.dsl -- --how=3
fails 1 "assertion failed: ninety-nine" one.dsl:4:5 one.dsl -- --how=4

# C functions that end one process by exit, by signals, or give it something else; exit in all of them is a status
cat >leave.c <<'C'
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
int64_t leave(int64_t how) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (how == 9) exit(3);
    if (!rank || atoi(rank) != 1) return 1;
    if (how < 2) exit(5 * (int)how);
    if (how == 2) abort();
    if (how == 3) kill(getpid(), SIGKILL);
    return how == 5 ? 0 : 2;
}
C
cat >leave.dsl <<'D'
extern fn leave(how: int) -> int
arg how: int = 0
print("before")
let n = 1000 * leave(how)
let x = [sin(0.1 * i) for i in 0:n]
let y = [x[i] + x[(i + 1) % n] for i in 0:n]
let z = [y[i] + y[(i + 1) % n] for i in 0:n]
print("after", sum(z))
D
for how in 0 1; do
    fails 1 "the C function 'leave' has ended one process, and others go on" leave.dsl:4:16 --link=leave.c leave.dsl -- --how=$how
done
fails 1 "the C function 'leave' was stopped by signal 6" leave.dsl:4:16 --link=leave.c leave.dsl -- --how=2
fails 137 "one of the program's processes was ended by signal 9" "" --link=leave.c leave.dsl -- --how=3
for how in 4 5; do
    fails 1 "the processes of the program no longer do the same" "leave.dsl:[5-8]:[0-9]*" --link=leave.c leave.dsl -- --how=$how
done
by 3 --link=leave.c leave.dsl -- --how=9 >printed 2>told && got=0 || got=$?
[ "$got $(cat printed)" = "3 before" ] && [ ! -s told ] || { echo "exit in all: $got"; cat printed told; exit 1; }

# Output that cannot be written: early or at the end, much or little; nobody reads it
printf 'for t in 0:20000 { print(t, "words that fill some pages") }\n' >much.dsl
printf 'print(1)\n' >little.dsl
if [ -c /dev/full ]; then
    for f in much little; do
        by 3 $f.dsl >/dev/full 2>told && got=0 || got=$?
        [ "$got" = 1 ] && [ "$(cat told)" = "error[E0616]: cannot write the output: No space left on device" ] || { echo "$f: $got"; cat told; exit 1; }
    done
    printf 'let x = [f64(i) for i in 0:90]\nsave("/dev/full", x)\nprint("after")\n' >full.dsl
    fails 1 "cannot write '/dev/full': No space left on device" full.dsl:2:1 full.dsl
fi
by 3 little.dsl >&- 2>told && got=0 || got=$?
[ "$got" = 1 ] && grep -q "E0616.*Bad file descriptor" told || { echo "closed: $got"; cat told; exit 1; }
(by 3 much.dsl 2>told; echo $? >status) | head -n 1 >printed
[ "$(cat status)" = 141 ] && [ ! -s told ] || { echo "nobody reads:"; cat status told; exit 1; }
D=$(by 3 much.dsl | tail -n 1)
[ "$D" = "19999 words that fill some pages" ] || { echo "the last line is $D"; exit 1; }
