# Loops with elementary functions become vectors: alone, fused with arithmetic, in sums, of f32, in kernels and parallel loops
. "$ROOT/tests/script/lib.inc"
[ "$(uname -m)" = x86_64 ] && command -v gcc >/dev/null || { echo "SKIPPED: gcc for x86-64"; exit 0; }
fail() { echo "$*"; exit 1; }
flags="-std=gnu11 -O3 -march=skylake-avx512 -fopenmp -ffp-contract=off -fwrapv -fno-math-errno -fno-trapping-math -I$ROOT/runtime"

vectors() { # name, program's text: its C calls nothing of libm, and each loop with simd becomes vectors
    printf '%s\n' "$2" >"$1.dsl"
    "$DSLC" build --emit=c "$1.dsl" -o "$1.c" || { fail "$1: no C"; return; }
    ! grep -v '/\*\|"' "$1.c" | grep -E '[^_a-z](exp|exp2|expm1|log|log2|log10|log1p|a?sin|a?cos|a?tan|sinh|cosh|tanh|pow)f?\(' || fail "$1: calls libm"
    gcc $flags -fopt-info-vec-optimized -c "$1.c" -o "$1.o" 2>"$1.log" || fail "$1: no object"
    loops=$(grep -c 'omp .*simd' "$1.c") vector=$(sed -n 's/^[^:]*:\([0-9]*\):.*loop vectorized.*/\1/p' "$1.log" | sort -u | wc -l)
    [ "$vector" -ge "$loops" ] || fail "$1: of $loops loops $vector are vectors"
    grep -q 'omp .*simd' "$1.c" || fail "$1: no simd loop"
}

for f in exp exp2 expm1 log log2 log10 log1p asin acos atan sinh cosh tanh sin cos tan; do
    vectors "$f" "fn f(x: f64[n]) -> f64[n] = $f(x) * 2
fn g(x: f32[n]) -> f32[n] = $f(x) * 2
print(f([1.0 / i for i in 1:100000]), g([1 / f32(i) for i in 1:100000]))"
done
vectors pow 'fn f(x: f64[n], p: f64) -> f64[n] = x^p * 2
fn g(x: f32[n], p: f32) -> f32[n] = x^p * 2
let p = [f64(i) / 3 for i in 0:5]
print(f([1.0 / i for i in 1:100000], p[1]), g([1 / f32(i) for i in 1:100000], f32(p[2])))'
vectors fused 'let x = [f64(i) / 1000 for i in 0:100000]
let y = sin(x)^2 + exp(-x) * log1p(x) / (1 + tanh(x))
print(y)'
vectors two 'fn f(x: f64[n, m]) -> f64[n, m] = [tanh(x[i, j]) + sin(x[i, j]) for i, j]
print(f([f64(i) / (j + 1) for i in 0:1000, j in 0:1000]))'
vectors kernel 'kernel step(y: out f32[n], x: f32[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = exp(-x[i]) * cos(x[i]) }
}
let x = [f32(i) / 1000 for i in 0:100000]
var y = zeros(f32, 100000)
launch step[ceildiv(100000, 256), 256](y, x)
print(y)'
vectors sum 'fn f(x: f64[n]) -> f64 = sum(log(x))
print(f([1.0 + i for i in 0:100000]))'
