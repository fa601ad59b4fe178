# dslc build --target=cuda: one executable, which runs on a GPU where there is one, else on the processor, and says so.
# With a driver that is none (tests/gpu/fake_cuda.c), and without a driver.  Failures are those of dslc run
# --target=cuda (cuda.sh).
. "$ROOT/tests/script/cuda.inc"
{ echo "$blur"; cat; } >t.dsl <<'D'
kernel one(y: inout f64[n]) { if thread.x == block.x and block.x == 1 { y[block.y] += 1.0 } }
kernel move(y: out f64[n], x: f64[n], k: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i + k] = x[i] }
}
arg rows: int = 100
arg k: int = 0
let x = [f64(i % 7) for i in 0:1000]
var y = zeros(f64, 1000)
launch blur[16, 64](y, x, 0.5)
var z = zeros(f64, rows)
launch one[(2, rows), 32](z)
var w = zeros(f64, 100)
launch move[1, 100](w, ones(f64, 100), k)
print(sum(y), sum(z), sum(w), sum(exp(-x / 7.0)))
D
expect 2 "a library is for the processor" "$DSLC" build --lib --target=cuda t.dsl
expect 2 "run, check, opt, test, bench, repl, notebook and --emit take --target=sim" "$DSLC" build --target=sim t.dsl
want=$("$DSLC" interp t.dsl)

# Without a driver, unless this machine has one
expect 0 "" "$DSLC" build --target=cuda t.dsl -o t.exe
if no_driver; then
    note="note: no GPU can be used: there is no driver: libcuda.so.1 is not found; the program runs on the processor"
    expect 0 "$want" ./t.exe
    grep -qxF "$note" shown && [ "$(grep -c note: shown)" = 1 ] || { cat shown; exit 1; }
    expect 0 "$want" ./t.exe --rows=100
    expect 0 "$want" env DSL_TARGET=cpu ./t.exe
    ! grep -q note: shown || { cat shown; exit 1; }
    expect 4 "error[E0714]: no GPU can be used: there is no driver: libcuda.so.1 is not found" env DSL_TARGET=cuda ./t.exe
    expect 1 "index 100 is out of bounds for axis 0 with size 100" ./t.exe --k=1
fi

# For which processor, and which GPU
for cpu in sm_90 x86-64-v2,sm_90 sm_90,x86-64-v2; do
    expect 0 "" "$DSLC" build --target=cuda --cpu=$cpu t.dsl -o named.exe
    grep -aq '[.]target sm_90' named.exe || { echo "--cpu=$cpu: not for sm_90"; exit 1; }
done
for cpu in sm_50 sm_999 sm_71 x86-64-v2,sm_60; do
    for how in "build --target=cuda" "run --target=cuda" --emit=ptx "--emit=llvm --target=cuda" "check --explain-kernel"; do
        expect 2 "error[E0704]: option --cpu does not take '${cpu#*,}'" "$DSLC" $how --cpu=$cpu t.dsl
        grep -q 'sm_70 (7.0) is the least supported' shown || { cat shown; exit 1; }
    done
done
# Neither a processor nor a capability: LLVM would end dslc
for how in "build --target=cuda" "run --target=cuda" "run --jit" "check --explain-kernel" "--emit=ptx"; do
    expect 2 "error[E0704]: option --cpu does not take 'H100'" "$DSLC" $how --cpu=H100 t.dsl
done

fake_driver
DSL_GPU_SHADOW=1 expect 0 "" "$DSLC" build --target=cuda t.dsl -o fake.exe
run() { # expected status, words that it says, FAKE_... , arguments
    status=$1 words=$2 fake=$3
    shift 3
    expect "$status" "$words" env LD_LIBRARY_PATH="$PWD/fake" DSL_TARGET=cuda $fake ./fake.exe "$@"
}
run 0 "$want" FAKE_CUDA_LOG=log
[ "$(grep -c '^run k[0-9]*_blur' log)" = 1 ] && [ "$(grep -c ^to log)" -le 1 ] || { echo "launches, copies:"; sort log | uniq -c; exit 1; }
run 0 "launches, " DSL_EXPLAIN_TRANSFERS=1
run 4 "there is a driver, but no device" FAKE_CUDA_DEVICES=0
run 4 "CUDA_ERROR_LAUNCH_FAILED" FAKE_CUDA_FAIL=cuInit:1
run 4 "CUDA_ERROR_OUT_OF_MEMORY" FAKE_CUDA_FAIL=cuDevicePrimaryCtxRetain:1
run 1 "this version of PTX is too new" FAKE_CUDA_FAIL=cuModuleLoadDataEx:1
run 1 "error[E0661]: the GPU has no memory for another" FAKE_CUDA_FAIL=cuMemAlloc_v2:2
run 1 "error[E0660]: the GPU's driver cannot begin the launch: CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure" FAKE_CUDA_FAIL=cuLaunchKernel:3
run 1 'error[E0662]: 70000 blocks along y; a GPU takes 65535 at most' "" --rows=70000
run 1 't.dsl:11:16: error[E0601]: index 100 is out of bounds for axis 0 with size 100' "" --k=1
expect 0 "$want" env LD_LIBRARY_PATH="$PWD/fake" FAKE_CUDA_DEVICES=0 ./fake.exe
grep -q 'note: no GPU can be used: there is a driver, but no device; the program runs on the processor' shown || { cat shown; exit 1; }

# A device that is older than the program was built for
DSL_GPU_SHADOW=1 expect 0 "" "$DSLC" build --target=cuda --cpu=sm_90 t.dsl -o fake.exe
run 0 "$want" FAKE_CUDA_CAPABILITY=9
run 4 "Fake 0 is of compute capability 8.0; the program was built for 9.0 and newer (--cpu=sm_80)" FAKE_CUDA_CAPABILITY=8

# Programs of the suite
for name in kernels barriers atomics kernel_arrays structs; do
    src=$ROOT/tests/run/$name.dsl
    [ -f "$src" ] || continue
    DSL_GPU_SHADOW=1 "$DSLC" build --no-tune --target=cuda "$src" -o fake.exe || exit 1
    LD_LIBRARY_PATH=$PWD/fake DSL_TARGET=cuda DSL_NUM_THREADS=1 ./fake.exe >out 2>&1
    echo "exit $?" >>out
    cmp -s out "${src%.dsl}.out" || { echo "$name:"; diff out "${src%.dsl}.out" | head; exit 1; }
done
