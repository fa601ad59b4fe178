# Programs as code in memory: with a plugin that need not be there, and without a C compiler.
. "$ROOT/tests/script/lib.inc"
echo 'print(1 + 1)' >a.dsl
mkdir alone
cp "$DSLC" alone/dslc
expect 1 "E0713" alone/dslc run --jit a.dsl
expect 1 "llvm-19-dev" alone/dslc --emit=llvm a.dsl
echo nothing >alone/libdslllvm.so
expect 1 "cannot be loaded" alone/dslc run --jit a.dsl
[ -f "$(dirname "$DSLC")/libdslllvm.so" ] || { echo "SKIPPED: dslc is built without LLVM"; exit 0; }
for jit in --jit --jit=tiered --jit=optimized --jit=quick; do
    expect 0 "2" env PATH=/nowhere DSL_CC=/nowhere/cc "$DSLC" run $jit a.dsl
done
expect 2 "jit" "$DSLC" run --jit=fast a.dsl
expect 0 "2" "$DSLC" run --jit=no a.dsl
# where it would be lost it is an error
for lost in build check tune interp --emit=c --bisect; do
    expect 2 "E0711" "$DSLC" $lost --jit a.dsl
done
expect 2 "run, test, bench, repl, notebook and --emit=llvm take it" "$DSLC" a.dsl --jit
expect 0 "define void @dsl_script" "$DSLC" --emit=llvm a.dsl
expect 0 "dsl_print_i64" "$DSLC" --emit=llvm --jit a.dsl
# tests, benches, sessions and notebooks
printf 'fn twice(x: int) -> int = 2 * x\ntest "good" { assert twice(2) == 4 }\ntest "bad" { assert twice(2) == 5 }\nbench "twenty" { assert twice(10) == 20 }\n' >cases.dsl
"$DSLC" test --jit=no cases.dsl >c.out 2>&1 && exit 1
for jit in optimized quick tiered; do
    "$DSLC" test --jit=$jit cases.dsl >j.out 2>&1 && exit 1
    diff c.out j.out || exit 1
    expect 0 "twenty      " "$DSLC" bench --jit=$jit cases.dsl
    expect 0 "no bench block" "$DSLC" bench --jit=$jit --filter=thirty cases.dsl
done
echo 'fn nothing() -> int = 1' >definitions.dsl
expect 0 "0 passed" "$DSLC" test --jit definitions.dsl
# values of all kinds go into cells and come back
printf 'let n = 3000000\nvar b = n > 2\nvar h = f16(1.5)\nvar i = u8(200)\nvar f = f32(0.1)\nvar s = "a"\nvar x = ones(f64, n)\n:time let t = (sum(x) + f64(h), not b, i + u8(5), f * f32(2), s)\nt\n' >values.repl
for jit in no optimized quick tiered; do
    "$DSLC" repl --jit=$jit <values.repl 2>&1 | sed 's/^[0-9.e+]* [mu]*s, /TIME, /; s/; .* to compile it//' >$jit.out
    diff no.out $jit.out || exit 1
done
grep -q "TIME, compiled" no.out && grep -q "3000001.5" no.out || { cat no.out; exit 1; }
printf '# %%%%\nlet x = linspace(0.0, 1.0, 3000000)\nsum(x)\n' >cells.dsl
for jit in no optimized quick tiered; do
    "$DSLC" notebook --jit=$jit --update cells.dsl && mv cells.out $jit.cells && cmp no.cells $jit.cells || exit 1
done
expect 1 "E0713" alone/dslc repl --jit </dev/null
# without a C compiler they all do; what makes files says that it needs one
no_cc="env PATH=/nowhere"
expect 0 "2" $no_cc "$DSLC" run a.dsl
expect 1 "1 passed, 1 failed" $no_cc "$DSLC" test cases.dsl
expect 0 "twenty      " $no_cc "$DSLC" bench cases.dsl
expect 0 "TIME, compiled" sh -c 'PATH=/nowhere "$1" repl <values.repl | sed "s/^[0-9.e+]* [mu]*s, /TIME, /"' sh "$DSLC"
expect 0 "" $no_cc "$DSLC" notebook -o page.html cells.dsl
expect 1 "E0720" $no_cc "$DSLC" build a.dsl
expect 1 "E0720" $no_cc "$DSLC" run --jit=no a.dsl
expect 1 "E0720" "$DSLC" run --cc=/nowhere/cc a.dsl
cc -shared -fPIC -x c -o seven.so - <<EOF
#include <stdint.h>
int64_t seven(void);
int64_t seven(void) { return 7; }
EOF
printf 'extern fn seven() -> int\nprint(seven())\n' >seven.dsl
expect 0 "7" $no_cc "$DSLC" run --link=./seven.so seven.dsl
# for a processor without fma: none in what comes in from the runtime, and the same bits
printf 'let x = linspace(0.0, 1.0, 3000)\nprint(sum(x^1.5), sum(exp(x)), sum([log(1 + v) for v in x]), sum([f32(sqrt(v)) for v in x]))\n' >old.dsl
"$DSLC" --emit=llvm --jit --cpu=x86-64 old.dsl | grep 'call.*llvm\.fma' && exit 1
"$DSLC" run --jit=no old.dsl >c.out && "$DSLC" run --jit --cpu=x86-64 old.dsl | diff c.out - || exit 1
# a failure is told in the same words, with the calls that led to it, and ends alike
printf 'fn deep(x: f64[n], i: int) -> f64 {\n    return x[i] + 1\n}\nlet x = [1.0, 2.0]\nprint(deep(x, 1))\nprint(deep(x, 2 + int(x[0])))\n' >fails.dsl
"$DSLC" run fails.dsl >c.out 2>c.err && exit 1
for jit in optimized quick tiered; do
    "$DSLC" run --jit=$jit fails.dsl >j.out 2>j.err && exit 1
    diff c.out j.out && diff c.err j.err || exit 1
done
# arguments, threads, C of one's own, what lies beside the program
printf 'arg n: int = 3  ## how many\nprint(n * 2)\n' >args.dsl
expect 0 "14" "$DSLC" run --jit args.dsl -- --n=7
expect 0 "how many" "$DSLC" run --jit args.dsl -- --help
expect 2 "--m" "$DSLC" run --jit args.dsl -- --m=7
expect 2 "--m" "$DSLC" run --jit a.dsl -- --m=7
mkdir sub
printf 'a\n1\n2\n' >sub/x.csv
printf 'let x: f64[n] = load("x.csv", "a")\nprint(sum(x))\n' >sub/load.dsl
for jit in no quick tiered optimized; do
    expect 0 "3.0" "$DSLC" run --jit=$jit sub/load.dsl
done
# what is compiled again comes from the cache; a damaged object is made anew; what a killed one left does no harm
printf 'fn f(x: f64) -> f64 = x * x + 1\nlet x = [f(f64(i)) for i in 0:1000]\nprint(sum(x))\n' >kept.dsl
XDG_CACHE_HOME=$PWD/objects
export XDG_CACHE_HOME
for level in optimized quick; do
    rm -rf objects
    expect 0 "332834500.0" "$DSLC" run --jit=$level kept.dsl
    set -- objects/dslc/*.o
    [ $# = 1 ] && [ -f "$1" ] || { echo "not one object: $*"; exit 1; }
    stamp=$(stat -c %i "$1")
    expect 0 "332834500.0" "$DSLC" run --jit=$level kept.dsl
    [ "$stamp" = "$(stat -c %i "$1")" ] || { echo "made again"; exit 1; }
    for damage in 'head -c 700 "$1"' ': ' 'head -c 700 "$1"; tail -c +702 "$1"' 'cat "$1"; echo more'; do
        eval "$damage" >damaged
        cp damaged "$1"
        expect 0 "332834500.0" "$DSLC" run --jit=$level kept.dsl
        cmp -s damaged "$1" && { echo "a damaged object is kept: $damage"; exit 1; }
    done
    head -c 700 "$1" >"$1.1"
    rm "$1"
    expect 0 "332834500.0" "$DSLC" run --jit=$level kept.dsl
    [ -f "$1" ] || { echo "what was left is in the way"; exit 1; }
done
chmod 500 objects/dslc
expect 0 "332834500.0" "$DSLC" run --jit --fp=fast kept.dsl
expect 0 "332834500.0" env XDG_CACHE_HOME=/dev/null "$DSLC" run --jit kept.dsl
chmod 700 objects/dslc
# killed at any time it leaves nothing that is not whole
for ms in 0.05 0.06 0.07 0.08 0.09 0.1 0.12; do
    rm -rf objects
    timeout -s KILL $ms "$DSLC" run --jit=optimized kept.dsl >/dev/null 2>&1
    expect 0 "332834500.0" "$DSLC" run --jit=optimized kept.dsl
done
unset XDG_CACHE_HOME
# two tiers: what runs is exchanged in the middle of loops, of islands' loops, of what calls itself
cat >tiers.dsl <<'EOF'
fn steps_of(n: int) -> int {
    var k = n
    var steps = 0
    while k != 1 {
        if k % 2 == 0 { k = k // 2 } else { k = 3 * k + 1 }
        steps += 1
    }
    return steps
}
fn fib(n: int) -> int {
    if n < 2 { return n }
    return fib(n - 1) + fib(n - 2)
}
print(fib(27))
var best = 0
for n in 1:60000 {
    let k = steps_of(n)
    if k > best { best = k }
}
print(best)
var x = linspace(0.0, 1.0, 100000)
for t in 0:60 { x = x + 0.5 * (x * x - x) }
print(sum(x))
print(sum([sum(sin(f64(i) * f64(k)) for k in 0:200) for i in 0:4000]))
var s = 0.0
for i in 0:6000000 { s = s * 0.999 + f64(i) }
print(s)
var h = zeros(int, 8)
parallel for i in 0:2000000 { atomic h[(i * 7) % 8] += 1 }
print(h)
fn pfib(n: int) -> int {
    if n < 2 { return n }
    var a = 0
    var b = 0
    if n < 16 { return pfib(n - 1) + pfib(n - 2) }
    spawn { a = pfib(n - 1) }
    b = pfib(n - 2)
    sync
    return a + b
}
print(pfib(25))
EOF
"$DSLC" run --jit=no tiers.dsl >c.out
for how in race wait; do
    for threads in 1 2; do
        DSL_LLVM_TIERS=$how DSL_LLVM_VERIFY=1 "$DSLC" run --jit=tiered --threads=$threads tiers.dsl | diff c.out - || exit 1
    done
done
printf '#include "dsl.h"\ndouble twice(double x);\ndouble twice(double x) { return 2 * x; }\n' >twice.c
printf 'extern fn twice(x: f64) -> f64\nprint(twice(4.0))\n' >twice.dsl
expect 0 "8.0" "$DSLC" run --jit --link=twice.c twice.dsl
expect 1 "twice" "$DSLC" run --jit twice.dsl
# ints narrower than C's int arrive as C compilers expect them, clang being the one that relies on it
printf '#include <stdint.h>\nint64_t wide8(int8_t x);\nint64_t wide8(int8_t x) { return x; }\nint64_t wide16(uint16_t x);\nint64_t wide16(uint16_t x) { return x; }\n' >narrow.c
printf 'extern fn wide8(x: i8) -> int\nextern fn wide16(x: u16) -> int\narg n: int = 300\nlet a = i32(n)\nprint(wide8(i8(a & 0x7f) + i8(100)), wide16(u16(a) * u16(1000)))\n' >narrow.dsl
for jit in no quick optimized; do
    expect 0 "-112 37856" "$DSLC" run --jit=$jit --cc=clang --link=narrow.c narrow.dsl
done
# sums, counts and loops that end when they like, by any number of threads
printf 'let x = [sin(0.001 * i) for i in 0:300000]\nvar h = zeros(int, 8)\nparallel for i in 0:300000 { atomic h[int(4 + 3.9 * x[i])] += 1 }\nprint(sum(x), h)\n' >sums.dsl
"$DSLC" run --threads=1 sums.dsl >c.out
for t in 1 2 5; do
    "$DSLC" run --jit --threads=$t sums.dsl >j.out
    diff c.out j.out || exit 1
done
