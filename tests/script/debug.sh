# -g: a debugger shows the lines of the program, stops at them, goes from one to the next, and shows variables
. "$ROOT/tests/script/lib.inc"
cat >t.dsl <<'D'
fn scale(x: f64[n], by: f64) -> f64[n] {
    var y = zeros(f64, n)
    for i in 0:n {
        let twice = x[i] * 2.0
        y[i] = twice * by
    }
    return y
}
let b = scale([f64(i) for i in 0:10], 3.0)
print(sum(b))
print(b[3])
D
expect 0 "" "$DSLC" build -g -O0 t.dsl -o t.exe
expect 0 "270.0" ./t.exe
# The lines are there whatever reads them; without -g there are none, nor in the C.
if command -v llvm-dwarfdump >/dev/null; then
    llvm-dwarfdump --debug-line t.exe >lines
    grep -q 'name: "t.dsl"' lines || { echo "t.dsl is not among the files"; head -40 lines; exit 1; }
fi
"$DSLC" --emit=c -g t.dsl | grep -q "#line 4 \"$PWD/t.dsl\"" || { echo "no #line"; exit 1; }
! "$DSLC" --emit=c t.dsl | grep '#line' || exit 1
command -v gdb >/dev/null || { echo "SKIPPED: no gdb"; exit 0; }
gdb -nx -batch -ex 'set debuginfod enabled off' -ex 'break t.dsl:5' -ex run -ex 'print twice' -ex next -ex next -ex next \
    -ex 'print twice' -ex 'delete' -ex 'break t.dsl:11' -ex continue ./t.exe >said 2>&1
for words in 'Breakpoint 1, .*t.dsl:5' '^[$]1 = 0$\|^[$]1 = 2$' '^3	    for i in 0:n {' '^4	        let twice' '^5	        y\[i\] = twice' \
    '^[$]2 = 2$\|^[$]2 = 4$' 'Breakpoint 2, .*t.dsl:11' '^11	print(b\[3\])'; do
    grep -q "$words" said || { echo "gdb does not say: $words"; cat said; exit 1; }
done

# Code in memory, and threads of the simulated GPU
[ -f "$(dirname "$DSLC")/libdslllvm.so" ] || { echo "SKIPPED: no LLVM"; exit 0; }
cat >k.dsl <<'D'
kernel move(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        let two = 2.0 * x[i]
        y[i] = two + f64(i)
    }
}
fn twice(x: int) -> int {
    if x > 100 { return x }
    return twice(x * 2)
}
var y = zeros(f64, 40)
launch move[2, 32](y, ones(f64, 40))
print(sum(y))
print(twice(y[3] > 0.0 ? 7 : 8))
D
sed -i 's/y\[3\] > 0.0 ? 7 : 8/int(y[3])/' k.dsl
step() { # arguments of dslc run; then commands of gdb
    how=$1
    shift
    gdb -nx -batch -ex 'set debuginfod enabled off' -ex 'set breakpoint pending on' "$@" --args "$DSLC" run --no-tune -g $how k.dsl >said 2>&1
}
says() {
    for words in "$@"; do grep -q "$words" said || { echo "gdb does not say: $words"; cat said; exit 1; }; done
}
for how in --jit=quick --jit=tiered --jit; do
    step $how -ex 'break k.dsl:10' -ex run -ex 'bt 3' -ex continue -ex 'delete' -ex continue
    says 'hit Breakpoint 1, .*k.dsl:10' '^10	    return twice' '#1 .*twice.*k.dsl:10\|#1 .*k.dsl:15' '860.0' '160'
done
step --target=sim -ex 'break k.dsl:5' -ex run -ex 'bt 1' -ex delete -ex continue
says 'hit Breakpoint 1, .*k.dsl:5' '^5	        y\[i\] = two' '860.0'
for how in --jit=quick --jit=optimized --target=sim; do
    DSL_LLVM_VERIFY=1 expect 0 "860.0" "$DSLC" run --no-tune -g $how k.dsl
done
