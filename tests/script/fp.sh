# --fp: each way prints the same with any number of threads, with gcc and with clang, and what the interpreter prints for the same IR; all are
# near to strict, which is the usual way.
. "$ROOT/tests/script/lib.inc"
cat >a.dsl <<'E'
fn total(x: f64[n], y: f32[n]) -> f64 {
    var s = 1.0
    for i in 0:n { s += x[i] * y[i] }
    return s
}
fn two(x: f64[n], lo: int, hi: int) -> (f64, f64) {
    var s = 0.0
    var t = 0.5
    for i in lo:hi {
        s += x[i] / 3
        t = x[i] * x[i] + t
    }
    return (s, t)
}
kernel rows(r: out f64[n], a: f64[n, m], by: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var s = 0.0
        for k in 0:m { s -= a[i, k] / by + 0.1 * a[i, m - 1 - k] }
        r[i] = s
    }
}
kernel smooth(next: out f32[n, m], u: f32[n, m]) {
    let j = block.x * blockdim.x + thread.x
    let i = block.y * blockdim.y + thread.y
    if i >= 1 and i < n - 1 and j >= 1 and j < m - 1 {
        next[i, j] = u[i, j] + 0.3 * (u[i - 1, j] - 2.1 * u[i, j] + u[i + 1, j]) - 0.2 * u[i, j - 1] * u[i, j + 1]
    }
}
fn all(n: int, m: int) {
    let x = rand(1, n)
    let y = f32(rand(2, n))
    let a = rand(3, n, m)
    let (s, t) = two(x, n // 3, n)
    print(total(x, y), s, t, dot(x, x), sum(x * y + 0.1 * x))
    var r = zeros(f64, n)
    launch rows[ceildiv(n, 64), 64](r, a, 0.7 + x[0])
    var u = f32(a)
    for k in 0:5 {
        var next = u
        launch smooth[(ceildiv(m, 16), ceildiv(n, 4)), (16, 4)](next, u)
        u = next
    }
    print(r @ a, sum(f64(u) / 7), max(abs(a - x[0]) / (x[0] + 3)))
    print((a.T @ a)[m // 2])
}
all(3, 2)
all(1000, 7)
all(130, 70)
E
expect 2 "strict|contract|reassoc|fast" "$DSLC" run --fp=loose a.dsl
"$DSLC" interp a.dsl >want || exit 1
near() { # file: the numbers of want, to 1e-4 (f32 is in it)
    awk 'NR == FNR { for (i = 1; i <= NF; i++) w[NR, i] = $i; next }
        { for (i = 1; i <= NF; i++) { gsub(/[][]/, "", $i); v = w[FNR, i]; gsub(/[][]/, "", v); d = $i - v; m = v < 0 ? -v : v
          if ((d < 0 ? -d : d) > 1e-4 * m + 1e-6) exit 1 } }' want "$1"
}
for fp in strict contract reassoc fast; do
    "$DSLC" interp --stage=loops --verify-each -O3 --fp=$fp a.dsl >here || { echo "interp --fp=$fp"; cat here; exit 1; }
    near here || { echo "--fp=$fp is far from strict"; diff want here; exit 1; }
    [ $fp != strict ] || cmp -s want here || { echo "strict differs"; exit 1; }
    for cc in gcc clang; do
        "$DSLC" build --cc=$cc -O3 --fp=$fp a.dsl -o a.exe >log 2>&1 || { cat log; exit 1; }
        for t in 1 2 7; do
            DSL_NUM_THREADS=$t ./a.exe >got 2>&1 && cmp -s here got || { echo "--fp=$fp, $cc, $t threads"; diff here got | head; exit 1; }
        done
    done
done
# each does something: a fused product is exact inside, a chain of sums has another order, a quotient becomes a product
cat >b.dsl <<'E'
fn product_less(x: f64, y: f64, z: f64) -> f64 = x * y - z
let e = 2.0^-30
let one = ceil(rand(1, 100))
print(max(abs([product_less(x + e, x - e, 1.0) for x in one])) == 0)
let big = [if i == 0 { 1e16 } else { 1.0 } for i in 0:4096]
var s = 0.0
for i in 0:4096 { s += big[i] }
print(s == 1e16)
print(max(abs([f64(i) / 49 - f64(i) * (1 / 49) for i in 0:1000])) > 0)
E
for fp in strict contract reassoc fast; do
    printf '%s ' $fp $("$DSLC" run --fp=$fp b.dsl)
    echo
done >got
cat >want <<'E'
strict true true true 
contract false true true 
reassoc true false true 
fast false false false 
E
diff want got || exit 1
# sums that are matrix products (pass raise), parts and sums of products (pass tensor): near to what is written, in every
# spelling
for name in raise raise_many tensor_rules axis_reductions; do
    cp "$ROOT/tests/run/$name.dsl" .
    for fp in reassoc fast; do
        "$DSLC" build -O2 --fp=$fp $name.dsl -o $name.exe || exit 1
        for t in 1 2; do
            { DSL_NUM_THREADS=$t ./$name.exe; echo "exit $?"; } >got 2>&1
            diff "$ROOT/tests/run/$name.out" got || { echo "$name.dsl with --fp=$fp, $t threads"; exit 1; }
        done
    done
done
