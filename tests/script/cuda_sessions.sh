# Cells, tests and benches on a GPU and on the simulated one: each runs in a process of its own, into which a driver
# does not go along.
. "$ROOT/tests/script/cuda.inc"
cat >in.repl <<'D'
kernel add(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] += 2 * x[i] }
}
var y = zeros(f64, 100)
launch add[2, 64](y, ones(f64, 100))
sum(y)
let big = [sin(f64(i)) for i in 0:300000]
let none = zeros(f64, 0)
(sum(big * big), sum(none))
launch add[2, 64](y, big[0:100])
y[0] = 7.0
launch add[2, 64](y, ones(f64, 100))
(y[0], y[1])
let c = [[f64(i * j % 7) for i in 0:200] for j in 0:200]
sum(c @ c)
launch add[2, 64](y, ones(f64, 100))
1 + 1
let at = y[120]
y[2]
D
cat >page.dsl <<'D'
# %%
kernel add(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] += 2 * x[i] }
}
var y = zeros(f64, 100)
launch add[2, 64](y, ones(f64, 100))
# %%
launch add[2, 64](y, ones(f64, 100))
print(sum(y))
D
cat >cases.dsl <<'D'
kernel add(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] += 2 * x[i] }
}
fn once() -> f64[100] {
    var y = zeros(f64, 100)
    launch add[2, 64](y, ones(f64, 100))
    return y
}
test "good" { assert sum(once()) == 200.0 }
test "bad" { assert sum(once()) == 100.0 }
test "good again" { assert once()[99] == 2.0 }
bench "once" { assert once()[7] == 2.0 }
D
on() { # target, command...: with a driver that is none
    target=$1 what=$2
    shift 2
    env LD_LIBRARY_PATH="$PWD/fake" DSL_GPU_SHADOW=1 "$DSLC" "$what" --target="$target" "$@"
}
fake_driver
"$DSLC" repl <in.repl >cpu.out 2>&1
"$DSLC" test cases.dsl >cases.out 2>&1 && exit 1
for target in sim cuda; do
    on $target repl <in.repl >$target.out 2>&1
    diff cpu.out $target.out || { echo "repl, $target"; exit 1; }
    on $target test cases.dsl >$target.cases 2>&1 && exit 1
    diff cases.out $target.cases || { echo "test, $target"; exit 1; }
    expect 0 "once      " on $target bench cases.dsl
    expect 0 "" on $target notebook page.dsl -o $target.html
    grep -q '400.0' $target.html || { echo "notebook, $target"; exit 1; }
done
export FAKE_CUDA_LOG=log

# Short work is interpreted, a launch never: it runs where it was asked for, and only there is a driver opened.
printf '1 + 1\nlet x = [f64(i) for i in 0:9]\nsum(x)\n' | on cuda repl >out 2>&1
[ ! -f log ] || { echo "a launch, in:"; cat out; exit 1; }
head -6 in.repl | on cuda repl >out 2>&1
grep -q '^run .*add' log || { cat out log; exit 1; }
rm -f log
expect 0 "" on cuda bench cases.dsl
[ "$(grep -c '^run .*add' log)" -gt 3 ] || { cat log; exit 1; }

# The driver fails in the process of a cell: an error of this cell, and the session goes on.
printf '%s\n' "$(head -6 in.repl)" '1 + 1' >two.repl
FAKE_CUDA_FAIL=cuModuleLoadDataEx:1 on cuda repl <two.repl >out 2>&1
grep -q "error\[E0660\]: the GPU's driver cannot begin: " out && grep -q '^2' out || { cat out; exit 1; }

# No GPU: said once, before anything is done
if no_driver; then
    for what in "repl" "test cases.dsl" "bench cases.dsl" "notebook page.dsl -o no.html"; do
        expect 4 "E0714" "$DSLC" $what --target=cuda </dev/null
    done
    [ ! -f no.html ] || exit 1
fi
