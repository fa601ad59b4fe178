# --link: C files, objects and libraries; what changes is compiled again; mistakes have messages
. "$ROOT/tests/script/lib.inc"
cat >twice.h <<'EOF'
#define FACTOR 2
EOF
cat >twice.c <<'EOF'
#include "twice.h"
#include "dsl.h"
double twice(double x) { return FACTOR * x; }
EOF
echo 'extern fn twice(x: f64) -> f64
print(twice(1.5))' >a.dsl
expect 1 "E0723" "$DSLC" run a.dsl
expect 1 "a.dsl:1:11: error[E0723]" "$DSLC" run a.dsl
expect 1 "--link" "$DSLC" run a.dsl
expect 0 "3.0" "$DSLC" run --link=twice.c a.dsl
expect 0 "3.0" "$DSLC" run --link twice.c a.dsl
expect 0 "3.0" "$DSLC" interp --link=twice.c a.dsl
echo '#define FACTOR 4' >twice.h
expect 0 "6.0" "$DSLC" run --link=twice.c a.dsl
expect 0 "" "$DSLC" build --link=twice.c a.dsl -o a
expect 0 "6.0" ./a
gcc -fPIC -I"$ROOT/runtime" -c twice.c
expect 0 "6.0" "$DSLC" run --link=twice.o a.dsl
expect 0 "6.0" "$DSLC" interp --link=twice.o --link=-lm a.dsl
# two files, one of which needs the other
echo 'double twice(double); double four(double x) { return twice(twice(x)); }' >four.c
echo 'extern fn four(x: f64) -> f64
print(four(1))' >b.dsl
expect 0 "16.0" "$DSLC" run --link=four.c --link=twice.c b.dsl
expect 1 "E0723" "$DSLC" run --link=four.c b.dsl
# mistakes
expect 1 "E0701" "$DSLC" run --link=nothing.c a.dsl
expect 1 "E0704" "$DSLC" run --link=twice.f90 a.dsl
expect 1 "E0724" "$DSLC" run --link=-lnosuchlibrary a.dsl
echo 'double twice(double x) { return x +; }' >twice.c
for how in run interp; do # the user's C file: what the C compiler says is for the user
    "$DSLC" $how --link=twice.c a.dsl >shown 2>&1 && exit 1
    [ $? = 1 ] && grep -q "E0726.*twice.c" shown && grep -q "twice.c:1:.*error" shown || { cat shown; exit 1; }
done
# A C function that a signal stops is told with its name and where it was called; what was printed before arrives.
cat >bad.c <<'EOF'
#include <stdlib.h>
#include <stdint.h>
double bad(int64_t how, double x) {
    static volatile int zero;
    if (how == 1) *(volatile int *)(intptr_t)(zero + 8) = 1;
    if (how == 2) abort();
    if (how == 3) { volatile char deep[1 << 14]; deep[0] = (char)how; return bad(how, x) + deep[0]; }
    return x;
}
EOF
for how in 1 2 3; do
    printf 'extern fn bad(how: int, x: f64) -> f64\nfn f(x: f64, how: int) -> f64 = bad(how, x) + 1\nprint("before", f(1, 0))\nprint(f(2.0, int(%s + 0.1 * uniform(1, 1))))\n' $how >bad.dsl
    case $how in 2) signal=Aborted ;; *) signal='Segmentation fault' ;; esac
    for run in 'run -O0' run interp 'run --jit' 'run --jit=quick'; do
        case $run in *--jit*) [ -f "$(dirname "$DSLC")/libdslllvm.so" ] || continue ;; esac
        case $DSLC$how$run in */san/*) continue ;; *3interp) continue ;; esac # the stack of the interpreter's thread is large
        ("$DSLC" $run --link=bad.c bad.dsl) >shown 2>&1 && { cat shown; exit 1; }
        grep -q "bad.dsl:2:33: error\[E0636\]: the C function 'bad' was stopped by signal [0-9]* ($signal)" shown || { echo "$run $how:"; cat shown; exit 1; }
        grep -q "before 2.0" shown && grep -q "'f' was called here" shown || { echo "$run $how:"; cat shown; exit 1; }
    done
done
