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
for jit in --jit --jit=optimized --jit=quick; do
    expect 0 "2" env PATH=/nowhere DSL_CC=/nowhere/cc "$DSLC" run $jit a.dsl
done
expect 2 "jit" "$DSLC" run --jit=fast a.dsl
expect 0 "2" "$DSLC" run --jit=no a.dsl
# where it would be lost it is an error
for lost in build check test bench tune interp notebook --emit=c --bisect; do
    expect 2 "E0711" "$DSLC" $lost --jit a.dsl
done
expect 2 "only run and --emit=llvm" "$DSLC" a.dsl --jit
expect 0 "define void @dsl_script" "$DSLC" --emit=llvm a.dsl
expect 0 "dsl_print_i64" "$DSLC" --emit=llvm --jit a.dsl
# a failure is told in the same words, with the calls that led to it, and ends alike
printf 'fn deep(x: f64[n], i: int) -> f64 {\n    return x[i] + 1\n}\nlet x = [1.0, 2.0]\nprint(deep(x, 1))\nprint(deep(x, 2 + int(x[0])))\n' >fails.dsl
"$DSLC" run fails.dsl >c.out 2>c.err && exit 1
for jit in optimized quick; do
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
printf '1\n2\n' >sub/x.csv
printf 'print(sum(load("x.csv", f64[n])))\n' >sub/load.dsl
"$DSLC" run sub/load.dsl >c.out 2>&1
"$DSLC" run --jit sub/load.dsl >j.out 2>&1
diff c.out j.out || exit 1
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
