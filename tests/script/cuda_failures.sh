# Launches that fail are not waited for, with a driver that is none (tests/gpu/fake_cuda.c): what comes behind one is not
# seen, its message is that of the processor, with the calls around it, and what runs behind it does no harm.
. "$ROOT/tests/script/cuda.inc"
fake_driver
cat >head.inc <<'D'
kernel move(y: out f64[n], x: f64[n], k: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i + k] = x[i] }
}
kernel grow(x: inout f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { x[i] += 1.0 }
}
arg k: int = 0
var y = zeros(f64, 100)
let x = [f64(i) for i in 0:100]
D
place=$(grep -n 'y\[i + k\]' head.inc | cut -d: -f1)
run() { # the launch that fails, the place of its record in the program's table, then arguments of dslc run: shown, out, status, log
    failing=$1 site=$2
    shift 2
    rm -f log
    env LD_LIBRARY_PATH="$PWD/fake" DSL_GPU_SHADOW=1 DSL_NUM_THREADS=1 FAKE_CUDA_LOG=log FAKE_CUDA_RECORD="$site:$failing" \
        "$DSLC" run --no-tune --target=cuda t.dsl "$@" >out 2>shown </dev/null && status=0 || status=$?
}
# The place of the program's table that is in that line of it
site_of() {
    for site in $(seq 0 60); do
        run "$1" "$site"
        ! grep -q "^t.dsl:$2:[0-9]*: error.E0601" shown || return 0
    done
    echo "no place in line $2"
    exit 1
}
fails() { # what was launched behind the failing one, what is printed, words of the message
    [ "$status" = 1 ] && grep -qF "error[E0601]: index 100 is out of bounds for axis 0 with size 100" shown && grep -qF "$3" shown ||
        { echo "status $status, not with '$3':"; cat shown; exit 1; }
    [ "$(cat out)" = "$2" ] || { echo "printed:"; cat out; exit 1; }
    [ "$(sed "1,/$behind/d" log | grep -c "^run $1")" -gt 0 ] || [ -z "$1" ] || { echo "no $1 behind:"; cat log; exit 1; }
}
program() { { cat head.inc; cat; } >t.dsl; }
behind='^run k[0-9]*_move'

# Two launches follow, then an array comes home.
program <<'D'
print("before")
launch move[1, 100](y, x, k)
launch grow[1, 100](y)
launch grow[1, 100](y)
let n = int(y[3])
print("behind", n)
D
site_of 3 "$place"
fails 'k[0-9]*_grow' before "t.dsl:$place:"
[ "$(grep -c '^run k[0-9]*_grow' log)" = 2 ] || { cat log; exit 1; }
first=$site

# A print of the host's, a failure of the host's, externs
for last in 'print(k)' 'assert k > 0' 'let now = time()' 'save("saved.txt", "text")'; do
    printf 'print("before")\nlaunch move[1, 100](y, x, k)\nlaunch grow[1, 100](y)\n%s\nprint(sum(y))\n' "$last" | program
    rm -f saved.txt
    run 3 "$first"
    fails 'k[0-9]*_grow' before "t.dsl:$place:"
    [ ! -f saved.txt ] || { echo "a file is written"; exit 1; }
done
# The end of the program
echo 'launch move[1, 100](y, x, k)' | program
site_of 3 "$place"
fails '' '' "t.dsl:$place:"
# Nobody failed: the host's own failure
printf 'launch move[1, 100](y, x, k)\nassert k > 0, "k"\n' | program
run 0 0
[ "$status" = 1 ] && grep -q 'error.E0640.: assertion failed: k' shown || { cat shown; exit 1; }

# Calls that are over when somebody looks, and others behind them
program <<'D'
fn deeper(y: f64[n], x: f64[n], k: int, depth: int) -> f64[n] {
    if depth > 0 { return deeper(y, x, k, depth - 1) }
    var z = y
    launch move[1, 100](z, x, k)
    return z
}
let a = deeper(y, x, k, 1)
let b = deeper(y, x, k, 2)
let c = deeper(y, x, k, 3)
print(a[0] + b[0] + c[0])
D
run 0 0
[ "$status" = 0 ] && [ "$(cat out)" = 0.0 ] || { cat shown; exit 1; }
launches=$(grep -n '^run' log | grep '_move' | cut -d: -f1 | sed -n 2p)
launches=$(sed "${launches}q" log | grep -c '^run')
site_of "$launches" "$place"
fails '' '' "t.dsl:19:9: note: 'deeper' was called here"
grep -qF "t.dsl:13:27: note: 'deeper' was called here (2 times)" shown || { cat shown; exit 1; }

# In a loop they are part of graphs; the turn that fails is told, and no turn prints behind it.
program <<'D'
for t in 0:12 {
    launch move[1, 100](y, x, k)
    launch grow[1, 100](y)
    if t % 4 == 3 { print(t) }
}
print("behind")
D
run 0 0
[ "$status" = 0 ] && grep -q '^replay 2' log || { cat shown log; exit 1; }
site_of 15 "$place"
fails 'k[0-9]*_grow' 3 "t.dsl:$place:"

# At the end of a test
cat >t.dsl <<'D'
kernel one(y: inout f64[n], k: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i + k] = 1.0 }
}
test "one" {
    var y = zeros(f64, 100)
    launch one[1, 100](y, int(time() * 0))
}
D
expect 1 "FAILED one" env LD_LIBRARY_PATH="$PWD/fake" DSL_GPU_SHADOW=1 FAKE_CUDA_RECORD=1:2 "$DSLC" test --target=cuda t.dsl
grep -qF "index 100 is out of bounds for axis 0 with size 100" shown || { cat shown; exit 1; }
expect 0 "ok one" env LD_LIBRARY_PATH="$PWD/fake" DSL_GPU_SHADOW=1 "$DSLC" test --target=cuda t.dsl
