# bench/gpu/bench.sh: without a GPU it says so and ends well; with one (a driver that is none) it prints its table. What
# time() says is taken when the GPU is done.
. "$ROOT/tests/script/cuda.inc"
if no_driver; then
    expect 0 "no GPU here, nothing is measured: there is no driver: libcuda.so.1 is not found" "$ROOT/bench/gpu/bench.sh"
fi
fake_driver
cat >t.dsl <<'D'
fn step(x: f64[n]) -> f64[n] = [0.5 * x[i] + 0.25 for i in 0:n]
var x = [f64(i % 7) for i in 0:1000]
let start = time()
for k in 0:10 { x = step(x) }
let seconds = time() - start
print("check", sum(x))
print("time", seconds)
D
fakes="LD_LIBRARY_PATH=$PWD/fake DSL_GPU_SHADOW=1 DSL_NUM_THREADS=1 RUNS=2"
expect 0 "| t | " env $fakes FAKE_CUDA_LOG="$PWD/log" "$ROOT/bench/gpu/bench.sh" "$PWD/t.dsl"
grep -q '^| program | GPU, ms | processor' shown && ! grep -q 'failed\|wrong' shown || { cat shown; exit 1; }
[ "$(grep -c '^wait' log)" -ge 4 ] || { echo "time() does not wait"; sort log | uniq -c; exit 1; }
echo 'print("check", sum([f64(i) for i in 0:8))' >bad.dsl
expect 1 "| bad | failed |" env $fakes "$ROOT/bench/gpu/bench.sh" "$PWD/bad.dsl"
