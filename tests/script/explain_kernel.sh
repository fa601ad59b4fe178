# check --explain-kernel: what kernels take of a GPU, move and compute
. "$ROOT/tests/script/lib.inc"
[ -f "$(dirname "$DSLC")/libdslllvm.so" ] || { echo "SKIPPED: no LLVM"; exit 0; }
cat >t.dsl <<'D'
kernel step(next: out f64[n], cur: f64[n], prev: f64[n]) {
    shared s: f64[64]
    let i = block.x * blockdim.x + thread.x
    s[thread.x] = if i < n { cur[i] } else { 0.0 }
    barrier
    if i < n { next[i] = 2.0 * s[thread.x] - prev[i] + s[63 - thread.x] }
}
export fn go(a: f64[n], b: f64[n]) -> f64[n] {
    var c = zeros(f64, n)
    launch step[ceildiv(n, 64), 64](c, a, b)
    return c
}
export fn heavy(a: f32[n]) -> f32[n] { return [sum([exp(a[i]) * f32(k) for k in 0:100]) for i in 0:n] }
D
expect 0 'step, blocks of 64 threads' "$DSLC" check --explain-kernel t.dsl
grep -q 'reads 16\*n bytes, writes 8\*n; ' shown && grep -q '^t.dsl:10:[0-9]*: k[0-9]*_step' shown || { cat shown; exit 1; }
grep -q 'memory is the limit (f64 of A100: 6.2)' shown || { cat shown; exit 1; }
expect 0 'arithmetic is the limit (f32 of H100: 20)' "$DSLC" check --explain-kernel --cpu=sm_90 t.dsl
if command -v ptxas >/dev/null || [ -x /usr/local/cuda/bin/ptxas ]; then
    grep -q 'sm_90: [1-9][0-9]* registers, 512 bytes of shared memory, nothing spilled; [0-9]* % of a multi' shown || { cat shown; exit 1; }
    # What is written by hand and what the suite of Rodinia has spills nothing.
    for f in "$ROOT"/bench/rodinia/lavaMD.dsl "$ROOT"/bench/rodinia/myocyte.dsl "$ROOT"/tests/run/device_reduce.dsl; do
        expect 0 'nothing spilled' "$DSLC" check --explain-kernel "$f"
        ! grep 'bytes spilled' shown || { echo "$f"; exit 1; }
    done
else grep -q 'registers and spills are not known: there is no ptxas' shown || { cat shown; exit 1; }; fi
echo 'export fn product(a: f32[n, k], b: f32[k, m]) -> f32[n, m] { return a @ b }' >product.dsl
expect 0 'reads 4*k*m + 4*k*n bytes, writes 4*m*n; 2*k*m*n operations' "$DSLC" check --explain-kernel product.dsl
echo 'print(1 + 1)' >none.dsl
expect 0 'there is no kernel in it' "$DSLC" check --explain-kernel none.dsl
echo 'print(x)' >wrong.dsl
expect 1 "unknown name 'x'" "$DSLC" check --explain-kernel wrong.dsl
