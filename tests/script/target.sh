# --target: launches on the simulated GPU; what it is not for
cat >t.dsl <<'D'
kernel twice(y: out f64[n], x: f64[n], k: int) {
    shared s: f64[64]
    let i = block.x * blockdim.x + thread.x
    s[thread.x] = if i < n { x[i] } else { 0.0 }
    barrier
    if i < n { y[i + k] = 2 * s[63 - thread.x] }
}
arg k: int = 0
var y = zeros(f64, 100)
launch twice[2, 64](y, ones(f64, 100), k)
print(sum(y))
D
status() { # expected status, command...
    want=$1
    shift
    "$@" >out 2>err
    got=$?
    [ $got = "$want" ] || { echo "$*: exit $got, not $want"; cat err; exit 1; }
}
says() { grep -qF "$1" err || { echo "does not say: $1"; cat err; exit 1; }; }
bad=$(dirname "$DSLC")/libdslllvm.so
status 2 "$DSLC" run --target=gpu t.dsl
says 'there are cpu, sim (a GPU simulated on the CPU), cuda and mpi'
status 2 "$DSLC" build --target=sim t.dsl
says 'run, test, bench, repl, notebook and --emit take --target=sim'
status 2 "$DSLC" check --target=cuda t.dsl
says 'run, build, tune, test, bench, repl, notebook and --emit take --target=cuda'
for target in sim cpu; do
    status 2 "$DSLC" --emit=ptx --target=$target t.dsl
    says 'emit=ptx is for --target=cuda'
done
status 0 "$DSLC" --emit=loops --target=sim t.dsl
grep -q 'barrier(%thread.x)' out || { echo "the barrier is gone"; exit 1; }
[ -f "$bad" ] || { echo "SKIPPED: no LLVM"; exit 0; }
status 0 "$DSLC" run --target=sim t.dsl
[ "$(cat out)" = 144.0 ] || { cat out; exit 1; }
# Failures have the words of the C path.
status 1 "$DSLC" run --target=sim t.dsl -- --k=7
cp err sim.err
status 1 "$DSLC" run t.dsl -- --k=7
cmp err sim.err || { diff err sim.err; exit 1; }
says 'index 100 is out of bounds for axis 0 with size 100'
