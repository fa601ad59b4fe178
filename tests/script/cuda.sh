# dslc run --target=cuda: what it says where there is no GPU; and, with a driver that is none (tests/gpu/fake_cuda.c),
# what goes to the device and back, and every failure.  On a real one: make test-gpu.
. "$ROOT/tests/script/cuda.inc"
{ echo "$blur"; cat; } >t.dsl <<'D'
kernel grow(x: inout f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { x[i] += 1.0 }
}
arg steps: int = 10
let x = [f64(i % 7) for i in 0:1000]
var y = zeros(f64, 1000)
launch blur[16, 64](y, x, 0.5)
for t in 0:steps { launch grow[4, 256](y) }
print(sum(y))
D
run() { # expected status, words that it says, FAKE_... , arguments of dslc run
    status=$1 words=$2 fake=$3
    shift 3
    expect "$status" "$words" env LD_LIBRARY_PATH="$PWD/fake" DSL_GPU_SHADOW=1 $fake "$DSLC" run --no-tune --target=cuda "$@"
}

# No driver, unless this machine has one
if no_driver; then
    expect 4 "no GPU can be used: there is no driver: libcuda.so.1 is not found" "$DSLC" run --target=cuda t.dsl
    grep -q 'hint: --target=sim runs the same launches on a simulated GPU' shown || { cat shown; exit 1; }
fi
mkdir empty
echo 'int cuInit(unsigned f) { return (int)f; }' >old.c
cc -shared -fPIC -o empty/libcuda.so.1 old.c
expect 4 "libcuda.so.1 has no cuDeviceGetCount: the driver is too old" env LD_LIBRARY_PATH="$PWD/empty" "$DSLC" run --target=cuda t.dsl

fake_driver
want=$("$DSLC" interp t.dsl)
run 0 "$want" FAKE_CUDA_LOG=log t.dsl

# Arrays stay where they are: x is made there, y too; back comes what the sum needs.
[ "$(grep -c ^run log)" -ge 12 ] && [ "$(grep -c ^to log)" = 0 ] && [ "$(grep -c ^back log)" = 1 ] ||
    { echo "copies:"; sort log | uniq -c; exit 1; }
run 0 "launches, 0 copies to it (0.000 MB), 1 copies back" "" --explain-transfers t.dsl -- --steps=10

# Reductions and scans are there, too: what comes back is a number for 65536 elements, or 4096 of a scan.
cat >reduce.dsl <<'D'
arg n: int = 200000
let x = [f64(i % 7) for i in 0:n]
let y = x / sum(x)
let z = cumsum(y * max(y))
print(argmax(z), z[n - 1])
D
run 0 "$("$DSLC" interp reduce.dsl)" FAKE_CUDA_LOG=sizes reduce.dsl
[ "$(awk '/^back|^to/ && $2 > most { most = $2 } END { print most }' sizes)" -lt 1000 ] || { echo "copies:"; sort sizes | uniq -c; exit 1; }

# Matrix products: by the program's own kernel, or by cuBLAS where that is, and does them
cc -std=c11 -D_GNU_SOURCE -shared -fPIC -o fake/libcublas.so.13 "$ROOT/tests/gpu/fake_cublas.c" || exit 1
products() { # how many products cuBLAS does, FAKE_.. or DSL_..
    rm -f products
    run 0 "$want_products" "FAKE_CUDA_LOG=products $2" products.dsl
    [ "$(grep -c '^gemm' products)" = "$1" ] && [ "$(grep -c '^run k[0-9]*_product' products)" = $((9 - $1)) ] ||
        { echo "products, $2:"; sort products | uniq -c; exit 1; }
    ! grep -q '^back [0-9]\{6\}' products || { echo "matrices come home:"; sort products | uniq -c; exit 1; }
}
cat >products.dsl <<'D'
fn whole(n: int, m: int, q: int) -> f64[n, m] = [f64((i * 3 + j * q + i * j) % 7) - 3.0 for i in 0:n, j in 0:m]
fn whole32(n: int, m: int, q: int) -> f32[n, m] = [f32((i * 3 + j * q + i * j) % 7) - 3.0 for i in 0:n, j in 0:m]
fn mark(x: f64[n, m]) -> f64 = sum([x[i, j] * f64((i * 5 + j * 3) % 11) for i in 0:n, j in 0:m])
fn each(n: int, m: int, k: int) {
    print(mark(whole(n, k, 1) @ whole(k, m, 2)), mark(whole(k, n, 1).T @ whole(k, m, 2)))
    print(mark(f64(whole32(n, k, 1) @ whole32(m, k, 2).T)), mark(f64(whole32(k, n, 1).T @ whole32(m, k, 2).T)))
}
each(190, 100, 123)
each(10, 20, 30)
let s = [f64((i * 3 + j + q) % 7) - 3.0 for q in 0:9, i in 0:80, j in 0:60]
let u = s @ [f64((i * 3 + j + q * 3) % 5) - 3.0 for q in 0:9, i in 0:60, j in 0:66]
print(mark(u[0]), mark(u[8]))
D
want_products=$("$DSLC" interp products.dsl)
products 5 ""
products 0 DSL_CUBLAS=no
products 0 FAKE_CUBLAS_FAIL=create
products 0 FAKE_CUBLAS_FAIL=gemm

run 4 "there is a driver, but no device" FAKE_CUDA_DEVICES=0 t.dsl
run 4 "CUDA_ERROR_LAUNCH_FAILED" FAKE_CUDA_FAIL=cuInit:1 t.dsl
run 4 "CUDA_ERROR_OUT_OF_MEMORY" FAKE_CUDA_FAIL=cuDevicePrimaryCtxRetain:1 t.dsl
run 1 "this version of PTX is too new" FAKE_CUDA_FAIL=cuModuleLoadDataEx:1 t.dsl
run 1 "error[E0661]: the GPU has no memory for another" FAKE_CUDA_FAIL=cuMemAlloc_v2:2 t.dsl
run 1 "error[E0660]: the GPU's driver cannot begin the launch: CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure" FAKE_CUDA_FAIL=cuLaunchKernel:3 t.dsl
run 1 "error[E0660]: the GPU's driver cannot copy an array from the GPU" FAKE_CUDA_FAIL=cuMemcpyDtoH_v2:1 t.dsl

# A thread that fails: in the words of the C path, with place
cat >bounds.dsl <<'D'
arg k: int = 0
kernel move(y: out f64[n], x: f64[n], k: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i + k] = x[i] }
}
var y = zeros(f64, 100)
launch move[1, 100](y, ones(f64, 100), k)
print(sum(y))
D
run 0 '100.0' "" bounds.dsl
run 1 'index 100 is out of bounds for axis 0 with size 100' "" bounds.dsl -- --k=1
run 1 'error[E0601]: index 100 is out of bounds for axis 0 with size 100' FAKE_CUDA_RECORD=1 bounds.dsl
grep -q 'bounds.dsl:[0-9]*:[0-9]*: error' shown || { cat shown; exit 1; }

# Too much for a GPU
cat >many.dsl <<'D'
kernel one(y: inout f64[n]) { if thread.x == block.x and block.x == 1 { y[block.y] += 1.0 } }
arg rows: int = 70000
var y = zeros(f64, rows)
launch one[(2, rows), 32](y)
print(sum(y))
D
run 1 'error[E0662]: 70000 blocks along y; a GPU takes 65535 at most' "" many.dsl
run 0 '65535.0' "" many.dsl -- --rows=65535

# Programs of the suite
for name in kernels shared_memory barriers atomics grad_launch kernel_arrays multi_launch structs; do
    src=$ROOT/tests/run/$name.dsl
    [ -f "$src" ] || continue
    LD_LIBRARY_PATH=$PWD/fake DSL_GPU_SHADOW=1 DSL_NUM_THREADS=1 DSL_LLVM_VERIFY=1 "$DSLC" run --no-tune --target=cuda "$src" >out 2>&1
    echo "exit $?" >>out
    cmp -s out "${src%.dsl}.out" || { echo "$name:"; diff out "${src%.dsl}.out" | head; exit 1; }
done
