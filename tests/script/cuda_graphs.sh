# Launches of a loop's turns become graphs of the driver, with a driver that is none (tests/gpu/fake_cuda.c): what is
# replayed, what is written anew, and what happens where the driver has no graphs, or refuses them.
. "$ROOT/tests/script/cuda.inc"
cat >head.inc <<'D'
kernel step(next: out f64[n], cur: f64[n], prev: f64[n], c: f64) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 { next[i] = 2*cur[i] - prev[i] + c * (cur[i-1] - 2*cur[i] + cur[i+1]) }
}
kernel damp(x: inout f64[n], c: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n { x[i] *= c }
}
kernel move(y: out f64[n], x: f64[n], at: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = x[at[i]] }
}
fn simulate(u: f64[n], steps: int, change: f64) -> f64[n] {
    var prev = u
    var cur = u
    for t in 0:steps {
        var next = zeros(f64, n)
        launch step[ceildiv(n, 64), 64](next, cur, prev, 0.25)
        launch damp[ceildiv(n, 64), 64](next, 1.0 - change * f64(t))
        prev = cur
        cur = next
    }
    return cur
}
let u = [exp(-0.01 * (f64(i) - 50)^2) for i in 0:100]
D
fake_driver
# status, words that it says, FAKE_.., then arguments of dslc run; the program, behind head.inc, is t.dsl; log has what the driver did
run() {
    status=$1 words=$2 fake=$3
    shift 3
    rm -f log
    expect "$status" "$words" env LD_LIBRARY_PATH="$PWD/fake" DSL_GPU_SHADOW=1 DSL_NUM_THREADS=1 FAKE_CUDA_LOG=log $fake "$DSLC" run --no-tune --target=cuda "$@" t.dsl
}
program() { # what it does: t.dsl, and what it prints: correct
    { cat head.inc; echo "$1"; } >t.dsl
    correct=$("$DSLC" interp t.dsl 2>/dev/null)
}
did() { # how often, what
    got=$(grep -c "^$2" log)
    [ "$got" = "$1" ] || { echo "$2: $got times, not $1"; sort log | uniq -c; exit 1; }
}

# Arrays that change places: a graph for each place, then nothing but replays
program 'print(sum(simulate(u, 30, 0.0)))'
run 0 "$correct" ""
did 29 'replay 3'
did 3 'graph 3'
did 0 set
did 30 'run k[0-9]*_step'
run 0 "launches (87 of them in 29 runs of graphs), " "" --explain-transfers

# A number that changes with the turn: of four graphs one gets it, of three launches one
program 'print(sum(simulate(u, 30, 0.001)))'
run 0 "$correct" ""
did 29 'replay 3'
did 4 'graph 3'
[ "$(grep -c '^set' log)" -ge 25 ] && [ "$(grep -c '^set' log)" -le 75 ] || { grep -c '^set' log; exit 1; }

# Called again the loop has its graphs still
program 'for k in 0:4 { print(sum(simulate(u, 10, 0.0))) }'
run 0 "$correct" ""
did 39 'replay 3'

# The host looks in the middle of each turn, a kernel may fail, a size changes, a loop within a loop, a branch
program 'fn several(u: f64[n], at: int[n]) -> f64[n] {
    var x = u
    for t in 0:12 {
        launch damp[2, 64](x, 0.99)
        launch damp[2, 64](x, 0.98)
        if t > 4 and x[50] > 0.5 { launch damp[2, 64](x, 0.97) }
        var y = zeros(f64, n)
        launch move[2, 64](y, x, at)
        for k in 0:3 {
            launch damp[2, 64](y, 1.01)
            launch damp[2, 64](y, 1.02)
        }
        x = y
    }
    return x
}
print(sum(several(u, [(i * 7) % 100 for i in 0:100])))
var total = 0.0
for n in 90:99 { total += sum(simulate(u[0:n], n % 4 + 1, 0.01)) }
print(total)'
run 0 "$correct" ""
[ "$(grep -c '^replay 2' log)" -ge 20 ] || { sort log | uniq -c; exit 1; }
program 'var x = u
for t in 0:9 { launch move[2, 64](x, u, [if t == 7 and i == 3 { 100 } else { i } for i in 0:100]) }
print(sum(x))'
run 1 "error[E0601]: index 100 is out of bounds for axis 0 with size 100" ""

# No graphs: the driver is too old, it is asked not to, it refuses one of the calls
program 'print(sum(simulate(u, 30, 0.001)))'
for fake in DSL_GPU_GRAPHS=no FAKE_CUDA_FAIL=cuGraphCreate:1 FAKE_CUDA_FAIL=cuGraphAddKernelNode:2 FAKE_CUDA_FAIL=cuGraphInstantiateWithFlags:1; do
    run 0 "$correct" "$fake"
    did 0 replay
    did 30 'run k[0-9]*_step'
done
for fake in FAKE_CUDA_FAIL=cuGraphInstantiateWithFlags:3 FAKE_CUDA_FAIL=cuGraphExecKernelNodeSetParams:2 FAKE_CUDA_FAIL=cuGraphLaunch:5; do
    run 0 "$correct" "$fake"
    did 30 'run k[0-9]*_step'
done
run 1 "error[E0660]: the GPU's driver cannot begin the launch" FAKE_CUDA_FAIL=cuLaunchKernel:2
cc -std=c11 -D_GNU_SOURCE -DNO_GRAPHS -shared -fPIC -I"$ROOT" -o fake/libcuda.so.1 "$ROOT/tests/gpu/fake_cuda.c" || exit 1
run 0 "$correct" ""
did 0 replay
did 30 'run k[0-9]*_step'

