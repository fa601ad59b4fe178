# --check-nan: the first operation that makes NaN is named, with what it was made of, the element, and whether it is in a
# derivative: interpreted, in C, in memory, optimized or not.  What is not chosen, and NaN from outside, is no fault.
. "$ROOT/tests/script/lib.inc"
stops() { # text that must appear, program
    printf '%s\n' "$2" >t.dsl
    for how in interp "run --jit=no -O0" run "run --jit=optimized"; do expect 1 "$1" "$DSLC" $how ${nan:---check-nan} t.dsl; done
    expect 0 '' "$DSLC" run t.dsl
}
passes() { # program
    printf '%s\n' "$1" >t.dsl
    for how in interp run "run --jit=optimized"; do
        expect 0 '' "$DSLC" $how t.dsl && mv shown without
        expect 0 '' "$DSLC" $how ${nan:---check-nan} t.dsl && cmp without shown
    done
}
stops "t.dsl:1:41: error[E0638]: 'sqrt' gives nan of -1.0, for element [2] of 'y'" 'let x = [4.0, 0.0, -1.0, -2.0]; let y = sqrt(x); print(y)'
stops "t.dsl:2:10: error[E0638]: 'log' gives nan of -2.0, for element [1, 1] of 'y'" 'let x = [4.0, 2.0]
let y = [log(x[i] - 4 * j) for i in 0:2, j in 0:2]; print(y)'
stops "'/' gives nan of 0.0 and 0.0" 'let x = [0.0, 2.0]; print(x[0] / x[0])'
stops "'-' gives nan of inf and inf" 'let x = [1e308, 2.0]; print(x[0] * 10 - x[0] * 10)'
stops "'^' gives nan of -8.0 and" 'let x = [-8.0, 2.0]; print(x[0]^(1 / 3))'
stops "a sum gives nan of numbers" 'let x = [1e308, -1e308]; print(sum(x[i // 2] * 10 for i in 0:4))'
stops "a running sum gives nan of numbers, for element [2]" 'let x = [1e308, -1e308]; print(cumsum([x[i // 2] * 10 for i in 0:4]))'
stops "'@' gives nan of numbers, for element [1, 0] of 'c'" 'let b = [[inf, 0.0], [0.0, 1.0]]; let a = [[1.0, 1.0], [0.0, 1.0]]; let c = a @ b; print(c)'
stops "t.dsl:3:23: error[E0638]: '/' gives nan of 0.0 and 0.0" 'kernel k(y: inout f64[n], x: f64[n]) {
    let i = block.x * 4 + thread.x
    if i < n { y[i] = sin(x[i]) / x[i] }
}
var y = zeros(f64, 7)
launch k[2, 4](y, [3.0, 2.0, 1.0, 2.0, 1.0, 0.0, 2.0])
print(y)'
expect 1 "block.x = 1, thread.x = 1" "$DSLC" run --check-nan t.dsl
expect 1 "'/' gives nan of 0.0 and 0.0" "$DSLC" run --target=sim --check-nan t.dsl
stops "'sqrt' gives nan of -0.25" 'kernel k(y: inout f64[n], x: f64[n]) {
    shared s: f64[4]
    s[thread.x] = sqrt(x[thread.x])
    barrier
    y[thread.x] = s[3 - thread.x]
}
var y = zeros(f64, 4)
launch k[1, 4](y, [1.0, 2.0, -0.25, 3.0])
print(y)'
stops "'log' gives nan of -1.0, for element [1, 0] of 'y'" 'var y = zeros(f64, 3, 4)
let x = [0.0, 1.0, 2.0, 3.0]
parallel for i in 0:3, j in 0:4 { y[i, j] = log(x[j] - i) + 1 }
print(y)'
stops "'sqrt' gives nan of -1.0, t = 3" 'var s = 0.0
var x = 2.0
for t in 0:5 { s += sqrt(x); x -= 1 }
print(s)'
stops "'sqrt' gives nan of -1.0" 'var s = 0.0
var x = 2.0
while s < 5 { s += sqrt(x); x -= 1; if x < -3 { s = 7 } }
print(s)'
stops "'/' gives nan of 0.0 and 0.0, for element [1], in the derivative" 'fn f(x: f64[n]) -> f64 = sum(0 * sqrt(x))
print(grad(f)([4.0, 0.0]))'
stops "in the derivative" 'fn size(x: f64[n]) -> f64 {
    var s = 0.0
    for i in 0:n { s += x[i]^2 }
    return sqrt(s)
}
print(grad(size)([0.0, 0.0]), jvp(size)([0.0, 0.0], [1.0, 0.0]))'
stops "in the derivative" 'kernel k(y: inout f64[n], x: f64[n]) {
    shared s: f64[4]
    s[thread.x] = sqrt(x[thread.x])
    barrier
    y[thread.x] = s[3 - thread.x]^2
}
fn f(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch k[1, 4](y, x)
    return sum(y)
}
print(grad(f)([1.0, 2.0, 0.0, 3.0]))'
passes 'fn f(x: f64) -> f64 = where(x > 0, sqrt(x), 0.0) + where(x > 0, x^x, 0.0) + where(x != 0, sin(x) / x, 1.0)
print(f(-1.0), f(0.0), grad(f)(-1.0), grad(f)(0.0), grad(f)(2.0), grad(grad(f))(2.0))
let a = [-1.0, 0.0, 2.0]
print(where(a > 0, log(a), 0.0), where(isnan(a / a), 7.0, a), nan + 1, [nan, 1.0, 1.0] * a, 1 / a, inf + 1)
var s = 0.0
for i in 0:int(a[1]) { s += a[1] / a[1] }
let safe = if a[0] > 0 { sqrt(a[0]) } else { a[0] }
print(s, safe, norm(zeros(f64, 3)), grad(fn(x) => norm(x))(zeros(f64, 3)), sum(zeros(f64, 0)))'
printf 'test "roots" {\n    let x = [1.0, -1.0]\n    assert sqrt(x)[0] == 1\n}\n' >t.dsl
expect 0 "1 passed" "$DSLC" test t.dsl
expect 1 "'sqrt' gives nan of -1.0" "$DSLC" test --check-nan t.dsl
printf 'let x = [1.0, -1.0]\nlog(x)\n' | "$DSLC" repl --check-nan >shown 2>&1 || true
grep -q "'log' gives nan of -1.0, for element \[1\]" shown
nan=--check-nan=inf
stops "t.dsl:4:12: error[E0638]: '/' gives inf of 1.0 and 0.0, j = 0, in the derivative" 'fn size(x: f64[n]) -> f64 {
    var s = 0.0
    for i in 0:n { s += x[i]^2 }
    return sqrt(s)
}
print(grad(size)([0.0, 0.0]))'
stops "'exp' gives inf of 800.0, for element [1]" 'let x = [1.0, 800.0]; print(exp(x))'
stops "'cast' gives inf of 1e+300" 'let x = [1e300]; print(f32(x[0]))'
passes 'print(inf + 1, [inf, 1.0] * 2, where(rand(1, 2) > 2, 1 / zeros(f64, 2), 0.0))'
expect 2 "option --check-nan does not take 'some'" "$DSLC" run --check-nan=some t.dsl
