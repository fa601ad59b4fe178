# Loops over arrays of bools become vectors: sums of them, choices, and, or, not, xor, comparisons, under a condition, in kernels
. "$ROOT/tests/script/lib.inc"
[ "$(uname -m)" = x86_64 ] && command -v gcc >/dev/null || { echo "SKIPPED: gcc for x86-64"; exit 0; }
fail() { echo "$*"; exit 1; }
flags="-std=gnu11 -O3 -march=skylake-avx512 -mprefer-vector-width=512 -fopenmp -ffp-contract=off -fwrapv -fno-math-errno -fno-trapping-math -I$ROOT/runtime"

# name, function of bools, pattern: all lines of its C that fit are in loops that are vectors
vectors() {
    printf '%s\n' "$2" >"$1.dsl"
    "$DSLC" build --emit=c --lib "$1.dsl" -o "$1.c" || fail "$1: no C"
    gcc $flags -fopt-info-vec-optimized -c "$1.c" -o "$1.o" 2>"$1.log" || fail "$1: no object"
    ! grep -q '^ *\(const \)\?bool (\?\*' "$1.c" || fail "$1: bools in memory are C's"
    loops=$(grep -c "$3" "$1.c")
    vector=$(sed -n 's/^[^:]*:\([0-9]*\):.*loop vectorized.*/\1/p' "$1.log" | sort -u | wc -l)
    [ "$loops" -ge 1 ] && [ "$vector" -ge "$loops" ] || fail "$1: of $loops loops $vector are vectors"
}
simd='omp .*simd'
vectors count 'export fn f(x: bool[n]) -> int = sum(int(x))' '+= (int64_t)x'
vectors count_not 'export fn f(x: bool[n]) -> int = sum(int(not x[i]) for i in 2:n)' '+= (int64_t)!x'
vectors choice 'export fn f(x: bool[n], y: f64[n]) -> f64[n] = [if x[i] { y[i] } else { -y[i] * 2 } for i]' "$simd"
vectors both 'export fn f(x: bool[n], y: bool[n]) -> bool[n] = [x[i] and not y[i] for i]' "$simd"
vectors either 'export fn f(x: bool[n], y: f32[n]) -> bool[n] = [x[i] or y[i] > 2 for i]' "$simd"
vectors differ 'export fn f(x: bool[n, m], y: bool[n, m]) -> bool[n, m] = [x[i, j] xor y[i, j] for i, j]' "$simd"
vectors compare 'export fn f(x: f64[n], y: f64[n]) -> bool[n] = x < y' "$simd"
vectors kernel 'kernel mark(y: inout f64[n], x: bool[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n and x[i] { y[i] = 1 - y[i] }
}
export fn f(x: bool[n], y: f64[n]) -> f64[n] {
    var z = y
    launch mark[ceildiv(n, 64), 64](z, x)
    return z
}' "$simd"
