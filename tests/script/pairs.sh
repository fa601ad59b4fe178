# --pairs: numbers that are the sum of two floats.  Their digits are there, in scalars, arrays, sums, scans, loops, kernels, calls,
# derivatives and functions; every way of running a program gives the same bits; what has no arithmetic of pairs is told.
. "$ROOT/tests/script/lib.inc"
one="len(\"x\")" # 1, not known when compiling

# ---- the smallest: digits that one float does not have survive
prints() { # mode, text, program
    printf '%s\n' "$3" >t.dsl
    for how in interp "run --jit=no -O0" "run --jit=no" "run --jit=quick" "run --jit=optimized"; do
        expect 0 "$2" "$DSLC" $how --pairs=$1 t.dsl
    done
}
prints f32 9.094947017729282e-13 "let x = f64($one) + 2.0^-40; print(x - 1)"
prints f64 8.271806125530277e-25 "let x = f64($one) + 2.0^-80; print(x - 1)"
prints no "1.0 0.0" "let x = f64($one) + 2.0^-80; print(x, x - 1)"
prints f32 "inf -inf inf" "let x = f64($one); print(exp(800 * x), log(x - 1), cbrt(x / 0))"
prints bf16 0.00024414062 "let x = f32($one) + f32(2)^-12; print(x - 1)"
prints f64 "0.0 True" 'let x = [f64(i) + 2.0^-80 for i in 0:9]; let y = [v - 2.0^-80 for v in x]
print(sum(y) - 36, if sum(x) - 36 == 9 * 2.0^-80 { "True" } else { "False" })'
prints f64 2.465190328815662e-32 'let x = 1 + 2.0^-105; let y = x * x - 1 - 2.0^-104; print((y * 2.0^0) / '"$one"' - 0 + 2.0^-105 * '"$one)"

# ---- to 30 digits: constants are computed as pairs, too; identities hold
cat >digits.dsl <<'END_DSL'
fn near(what: str, x: f64, y: f64) { if not (abs(x - y) <= 1e-29 * max(abs(y), 1.0)) { print("wrong:", what, x - y) } }
const third = 1.0 / 3
near("pi", sin(pi), 0)
near("literals", 0.1 * 10 + 1.1e-3 * 1_000 - 0.0011e+03, 1)
near("third", third * 3, 1)
near("parentheses", (0.1) * 3, 0.3)
near("a known branch", (if third > 0 { 0.1 } else { 0.2 }) + where(true, 0.1, 0.5), 0.2)
near("imaginary", (0.1 - 0.2im).im * 5 + (0.1im).im * 10, 0)
near("near -1", atanh(2.0^-20 - 1) + atanh(1 - 2.0^-20), 0)
near("large", asinh(2.0^600) + acosh(2.0^600), 1202 * log(2.0))
fn pairs(k: int) -> f64 = if k == 0 { 0.1 } else { pairs(k - 1) / 3 }
near("a function of this name", pairs(2) * 9, 0.1)
for k in 1:40 {
    let x = f64(k) / 7
    near("root", sqrt(x) * sqrt(x), x)
    near("cube root", cbrt(x)^3, x)
    near("exp", exp(x) * exp(-x), 1)
    near("log", log(exp(x)), x)
    near("log of small", exp(log(x)), x)
    near("log1p", log1p(expm1(x)), x)
    near("log2", log2(exp2(x)), x)
    near("log10", log10(x), log(x) / log(10.0))
    near("power", (x^2.5)^(2 / 5.0), x)
    near("circle", sin(x)^2 + cos(x)^2, 1)
    near("sine of a sum", sin(x + 1), sin(x) * cos(1.0) + cos(x) * sin(1.0))
    near("tangent", tan(x) * cos(x), sin(x))
    near("arcs", asin(sin(x / 4)), x / 4)
    near("acos", cos(acos(x / 6)), x / 6)
    near("atan", tan(atan(x)), x)
    near("atan2", atan2(x, -x) * 4 / 3, acos(-1.0))
    near("hyperbola", cosh(x) - sinh(x)^2 / cosh(x), 1 / cosh(x))
    near("tanh", tanh(x) * cosh(x), sinh(x))
    near("inverses", asinh(sinh(x)) + acosh(cosh(x)) + atanh(tanh(x / 4)), x * 9 / 4)
    near("hypot", hypot(x * 3, x * 4), x * 5)
    near("remainder", (x + 12) % 0.5 - (x % 0.5), 0)
    near("quotient", x // 0.5 * 0.5 + x % 0.5, x)
    near("negative remainder", -x % 0.75 + x, 0.75 * ceil(x / 0.75))
    near("fma", fma(x, x, -x * x), 0)
}
let one = f64(len("x"))
print(int(1e18 * one + 7) - 10^18, int(2.0^63 * one - 1) == 9223372036854775807, int(-(2.0^62) * one - 1), u64(2.0^64 * one - 3), i32(-7.9 * one), f32(1 / 3.0), bool(2.0^-1000 * one))
print(floor(7 - 2.0^-80), ceil(7 + 2.0^-80), round(2.5 - 2.0^-80), trunc(-3 + 2.0^-80), sign(-2.0^-80), abs(-1 - 2.0^-80) - 1)
print(one + 2.0^-80 > 1, one + 2.0^-80 <= 1, one + 2.0^-80 == 1, min(one + 2.0^-80, 1), max([1, 1 + 2.0^-80]) - 1, argmax([1, 1 + 2.0^-80, 1.0]))
print(1 / 0.0, -1 / 0.0, inf - inf, inf + 1, inf * 2, 3 / inf, sqrt(-1.0), exp(-inf), exp(800.0), log(0.0), atan(inf) * 2 - acos(-1.0), isnan(nan + 1), min(nan, 1.0))
let far = [1e300 / 3, 1e17 / 3] * one
print(max(abs(sin(far)^2 + cos(far)^2 - 1)) < 1e-15, log1p(inf * one), one^inf, atan2(one, -0.0) > 0)
END_DSL
cat >want <<'END_OUT'
7 true -4611686018427387905 18446744073709551613 -7 0.33333334 true
6.0 8.0 2.0 -2.0 -1.0 8.271806125530277e-25
true false false 1.0 8.271806125530277e-25 1
inf -inf nan inf inf 0.0 nan 0.0 inf -inf 0.0 true nan
true inf 1.0 true
END_OUT
for how in interp "run --jit=no" "run --jit=optimized"; do
    "$DSLC" $how --pairs=f64 digits.dsl >got 2>&1 || { cat got; exit 1; }
    cmp want got || { cat got; exit 1; }
done

# ---- every way of running it gives the same bits
cat >ways.dsl <<'END_DSL'
kernel smooth(y: out f64[n], x: f64[n]) {
    shared tile: f64[66]
    let t = thread.x
    let i = block.x * blockdim.x + t
    if i < n { tile[t + 1] = x[i] }
    if t == 0 and i > 0 { tile[0] = x[i - 1] }
    if t == blockdim.x - 1 and i < n - 1 { tile[t + 2] = x[i + 1] }
    barrier
    if i >= 1 and i < n - 1 { y[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3 }
}
kernel count(h: inout f64[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic h[i % m] += x[i] }
}
struct Body { at: f64, speed: f32, n: int }
fn fact(n: int) -> f64 = if n < 2 { 1.0 } else { f64(n) * fact(n - 1) }
fn energy(x: f64[n]) -> f64 = sum(x[i]^2 / (1 + x[(i + 1) % n]^2) for i in 0:n)
fn rounds(x: f64) -> (f64, int) {
    var y = x
    var k = 0
    while y > 1e-3 { y = y / 3; k += 1 }
    return (y, k)
}
let x = [f64((i * 37) % 101) / 101 - 0.5 for i in 0:1000]
var y = x
launch smooth[ceildiv(1000, 64), 64](y, x)
print(sum(y), y[500], fact(20), rounds(7))
var h = zeros(f64, 7)
launch count[ceildiv(1000, 64), 64](h, x)
print(h)
print(energy(x), jvp(energy)(x, ones(f64, 1000)))
let g = grad(energy)(x)
print(sum(g), g[3])
let a = [f64((i * 31 + j * 17) % 23) / 23 for i in 0:20, j in 0:20]
print(sum(a @ a), cumsum(x)[999], min(x), argmin(x), prod(1 + x[0:20]), sum(a, axis=0)[3], a.T[3, 4])
print(f"{sum(x):.12f}", sort(x)[17], mean(x), std(x), scan(max, x)[99])
let z = c128(1.0, 2.0) * c128(3.0, 1.0 / 3)
let bodies = [Body(f64(i) / 3, f32(i) / 3, i) for i in 0:9]
print(z, sum(b.at for b in bodies), bodies[8])
var w = concat(x[0:5], 2 * x[5:9])
for t in 0:9 { w[t % 4] = w[t % 4 + 1] / 3; w[4:6] = w[5:7] * 0.1 }
print(w, x[3:9:2], reshape(x[0:6], 2, 3))
END_DSL
ran() { # label, command...
    label=$1
    shift
    "$@" >got 2>&1 || { echo "$label"; cat got; exit 1; }
    [ -f first ] || cp got first
    cmp -s first got || { echo "otherwise: $label"; diff first got; exit 1; }
}
for mode in f32 f64 bf16; do
    rm -f first
    set -- -Wno-pairs-wide --pairs=$mode
    for stage in par loops; do ran "$mode: interpreter at $stage" "$DSLC" interp "$@" --stage=$stage --verify-each ways.dsl; done
    for cc in gcc:-O3 clang:-O1; do
        "$DSLC" build "$@" --cc=${cc%:*} ${cc#*:} ways.dsl -o ways
        for t in 1 3; do ran "$mode: $cc, $t threads" env DSL_NUM_THREADS=$t ./ways; done
    done
    ran "$mode: in memory" "$DSLC" run "$@" --jit=optimized --threads=2 ways.dsl
    ran "$mode: simulated GPU" "$DSLC" run "$@" --target=sim --jit=quick ways.dsl
done

# ---- what others call takes and gives floats as they are: a library, cells of a session
printf '%s\n' 'export fn thirds(x: f64[n], a: f64) -> (f64, f64[n]) = (a / 3 * 3 - a, [v / 3 for v in x])' >lib.dsl
"$DSLC" build --lib --pairs=f32 lib.dsl -o thirds
grep -q 'thirds(.*const double \*.*double a.*double \*' thirds.h || { cat thirds.h; exit 1; }
printf '%s\n' 'let x = [1.0 / 3, 2.0]' 'x * 3' 'fn f(a: f64) -> f64 = a / 3' 'f(6.0)' | "$DSLC" repl --pairs=f32 >shown 2>&1
grep -qF '[1. 6.] : f64[2]' shown && grep -q '^2.0 : f64' shown || { cat shown; exit 1; }

# ---- elements that nobody writes, joined for a launch that is computed as it was: the backward one of this, with atomic sums
cat >joined.dsl <<'END_DSL'
kernel halves(y: out f64[m], x: f64[n], c: f64) {
    shared s: f64[4]
    let t = thread.x
    s[t] = c * x[block.x * 4 + t]
    barrier
    if t < 2 { s[t] = s[t] * s[t + 2] }
    barrier
    if t == 0 { y[block.x] = s[0] }
}
fn tree(x: f64[n]) -> f64 {
    var y = zeros(f64, n // 4)
    launch halves[n // 4, 4](y, x, x[0] + 0.5)
    return sum(y^2)
}
print(grad(tree)([0.5, 1.0, 1.5, 2.0]))
END_DSL
expect 0 "[4.5  0.   0.75 0.  ]" "$DSLC" interp -Wno-pairs-wide --pairs=f64 joined.dsl

# ---- messages
printf '%s\n' 'let x = [0.5, 2.0]; print(erf(x[0]), det([[x[0], 1.0], [1.0, x[1]]]))' >t.dsl
expect 0 "t.dsl:1:27: warning[W0749]: 'erf' is computed in f64, not in pairs" "$DSLC" run --pairs=f64 t.dsl
expect 0 "'det' is computed in f64" "$DSLC" run --pairs=f64 t.dsl
expect 0 "" "$DSLC" run --pairs=f32 t.dsl
! grep -q W0749 shown || { cat shown; exit 1; }
expect 2 "error[E0759]: --pairs does not go with --fp=fast" "$DSLC" run --pairs=f32 --fp=fast t.dsl
expect 2 "no|f32|f64|bf16" "$DSLC" run --pairs=f16 t.dsl
