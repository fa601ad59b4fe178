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

# Kernels come in the order of the source, whatever calls what. Partial sums count each element once; sides of a guard that
# do nothing are not what a thread does; accesses are told apart by what neighbours touch.
cat >order.dsl <<'D'
fn last(a: f64[n]) -> f64[n] { return [a[i] * 2 + 1 for i in 0:n] }
kernel leaves(next: out f64[n, m], u: f64[n, m]) {
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if y >= n - 1 or x >= m { return }
    next[y, x] = u[y + 1, x] - u[y, x]
}
kernel mixed(r: inout f64[n], a: f64[n, m], b: f64[n], p: f64[n, 3], at: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { r[i] = a[i, 0] + a[0, i % m] + b[at[i] % n] + p[i, 0] + p[i, 1] + p[i, 2] + a[1, 1] }
}
export fn total(a: f64[n]) -> f64 { return sum(a) }
export fn columns(a: f64[n, 500]) -> f64[500] { return sum(a, axis=0) }
export fn rows(a: f64[n, m]) -> f64[n] { return sum(a * a, axis=1) }
export fn go(u: f64[n, m], b: f64[n], p: f64[n, 3], at: int[n]) -> f64[n] {
    var next = zeros(f64, n, m)
    var r = zeros(f64, n)
    launch leaves[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](next, u)
    launch mixed[ceildiv(n, 256), 256](r, next, b, p, at)
    return last(r)
}
export fn below(a: f64[n, n]) -> f64[n] {
    var r = zeros(f64, n)
    parallel for i in 0:n { for j in 0:i { r[i] += a[i, j] } }
    return r
}
D
expect 0 'k1_' "$DSLC" check --explain-kernel order.dsl
grep -oE '^order.dsl:[0-9]+' shown | cut -d: -f2 >order.txt
sort -n order.txt | cmp - order.txt
of() { awk -v at="order.dsl:$1:" 'index($0, at) == 1 { on = 1; print; next } /^[a-z]/ { on = 0 } on' shown; }
says() { # line, text
    of "$1" | grep -qF -e "$2" || { echo "line $1 does not say: $2"; of "$1"; exit 1; }
}
says 12 'writes 8*((n + 1023)//1024); n operations'
says 12 'reads 8*((n + 1023)//1024) bytes, writes 8*((n + 65535)//65536); (n + 1023)//1024 operations'
says 12 'accesses: 2 coalesced'
says 13 '; about 500*n operations'
says 14 '2*m*n '
says 18 '2048*((m + 255)//256)*((n + 7)//8) operations'
says 19 'accesses: 6 coalesced, 1 strided, 1 gathered, 1 the same for all'
says 23 'n*((n + 1)//2) - n operations'
