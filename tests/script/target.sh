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
says 'run, check, opt, test, bench, repl, notebook and --emit take --target=sim'
status 2 "$DSLC" interp --target=cuda t.dsl
says 'run, build, check, opt, tune, test, bench, repl, notebook and --emit take --target=cuda'
for target in sim cpu; do
    status 2 "$DSLC" --emit=ptx --target=$target t.dsl
    says 'emit=ptx is for --target=cuda'
done
status 0 "$DSLC" --emit=loops --target=sim t.dsl
grep -q 'barrier(%thread.x)' out || { echo "the barrier is gone"; exit 1; }
# Launches that no GPU takes: told by a check for one, not for the processor, nor where the launch never comes.
cat >many.dsl <<'D'
kernel mark(y: inout f64[n]) { if thread.x == block.x and block.x == 1 { y[block.y] += 1.0 } }
fn marked(rows: int) -> f64 {
    var y = zeros(f64, 70000)
    if rows <= 65535 { launch mark[(2, rows), 32](y) }
    if rows > 65535 { launch mark[(rows, 2), 32](y) }
    return sum(y)
}
print(marked(60000) + marked(61000))
D
for target in cpu sim cuda; do status 0 "$DSLC" check --target=$target many.dsl; done
cat >>many.dsl <<'D'
const rows = 70000
var y = zeros(f64, rows)
launch mark[(2, rows), 32](y)
print(sum(y))
D
status 0 "$DSLC" check many.dsl
for target in sim cuda; do
    status 1 "$DSLC" check --target=$target many.dsl
    says 'many.dsl:11:1: error[E0662]: a launch that the GPU cannot do: 70000 blocks along y; a GPU takes 65535 at most'
    [ "$(grep -c 'error\[' err)" = 1 ] || { cat err; exit 1; }
done
printf '%s\n' 'kernel deep(y: out f64[n]) { if thread.z < n { y[thread.z] = 1.0 } }' 'arg depth: int = 100' \
    'var y = zeros(f64, 100)' 'launch deep[1, (1, 1, depth)](y)' 'print(sum(y))' >deep.dsl
status 0 "$DSLC" check --target=sim deep.dsl
[ -f "$bad" ] || { echo "SKIPPED: no LLVM"; exit 0; }
status 0 "$DSLC" run --target=sim t.dsl
[ "$(cat out)" = 144.0 ] || { cat out; exit 1; }
status 1 "$DSLC" run --target=sim many.dsl
says 'many.dsl:11:1: error[E0662]: 70000 blocks along y; a GPU takes 65535 at most'
status 1 "$DSLC" run --target=sim deep.dsl
says 'deep.dsl:4:1: error[E0662]: blocks of 100 threads along z; a GPU takes 64 at most'
status 0 "$DSLC" run --target=sim deep.dsl -- --depth=64
[ "$(cat out)" = 64.0 ] || { cat out; exit 1; }
# Failures have the words of the C path.
status 1 "$DSLC" run --target=sim t.dsl -- --k=7
cp err sim.err
status 1 "$DSLC" run t.dsl -- --k=7
cmp err sim.err || { diff err sim.err; exit 1; }
says 'index 100 is out of bounds for axis 0 with size 100'
