# dslc accuracy: digits lost in a run of the program are found, and what to write instead; each case of a table says in a
# comment how many bits of error it has at least, and at most once --fix has written another form.
. "$ROOT/tests/script/lib.inc"
# FILE: every line with a comment `# BEFORE AFTER` has a row of the table like it; every row has such a comment.
cases() {
    expect 0 "" "$DSLC" accuracy "$1"
    awk 'NR == FNR { if (match($0, /# [0-9.]+ [0-9.]+$/)) { split(substr($0, RSTART + 2), b, " "); low[FNR] = b[1]; high[FNR] = b[2] } next }
        $1 ~ /^[0-9]+$/ && $2 ~ /^f(32|64)$/ {
            seen[$1] = 1
            if (!($1 in low)) { print "a row that was not expected: " $0; bad = 1 }
            else if ($4 < low[$1] || $6 > high[$1]) { print "not as the comment says: " $0; bad = 1 } }
        END { for (l in low) if (!(l in seen)) { print "line " l " has no row"; bad = 1 } exit bad }' "$1" shown || { cat shown; exit 1; }
}

# ---- Hamming's, Herbie's and other classical formulas, in scalars
cat >scalars.dsl <<'END'
fn root_step(x: f64) -> f64 = sqrt(x + 1) - sqrt(x) # 20 1
fn one_less(x: f64) -> f64 = log(1 - x) # 20 1
fn versine(x: f64) -> f64 = (1 - cos(x)) / x^2 # 40 1
fn sqrtexp(x: f64) -> f64 = sqrt((exp(2*x) - 1) / (exp(x) - 1)) # 15 1
fn larger_root(a: f64, b: f64, c: f64) -> f64 = (-b + sqrt(b*b - 4*a*c)) / (2*a) # 40 1
fn smaller_root(a: f64, b: f64, c: f64) -> f64 {
    let d = sqrt(b*b - 4*(a*c))
    return (-b - d) / (2*a) # 40 1
}
fn growth(x: f64) -> f64 = exp(x) - 1 # 20 1
fn log_ratio(e: f64) -> f64 = log((1 - e) / (1 + e)) # 20 1
fn fractions(x: f64) -> f64 = 1/(x + 1) - 1/x # 25 1
fn three_fractions(x: f64) -> f64 = 1/(x + 1) - 2/x + 1/(x - 1) # 40 1
fn tan_step(x: f64, e: f64) -> f64 = tan(x + e) - tan(x) # 20 2
fn sin_step(x: f64, e: f64) -> f64 = sin(x + e) - sin(x) # 20 2
fn cos_step(x: f64, e: f64) -> f64 = cos(x + e) - cos(x) # 20 1
fn expq2(x: f64) -> f64 = exp(x) / (exp(x) - 1) # 20 1
fn expq3(a: f64, b: f64, e: f64) -> f64 = e * (exp((a + b)*e) - 1) / ((exp(a*e) - 1) * (exp(b*e) - 1)) # 20 1.5
fn stirling(n: f64) -> f64 = (n + 1)*log(n + 1) - n*log(n) - 1 # 25 1
fn log_quotient(x: f64) -> f64 = log(1 - x) / log(1 + x) # 10 1
fn half_angle(x: f64) -> f64 = (1 - cos(x)) / sin(x) # 40 1
fn angle_step(n: f64) -> f64 = atan(n + 1) - atan(n) # 40 1
fn cube_root_step(x: f64) -> f64 = cbrt(x + 1) - cbrt(x) # 30 1.5
fn inverse_root_step(x: f64) -> f64 = 1/sqrt(x) - 1/sqrt(x + 1) # 25 1
fn log_sum_exp(a: f64, b: f64) -> f64 = log(exp(a) + exp(b)) # 30 1
fn squares(a: f64, b: f64) -> f64 = a^2 - b^2 # 20 1
fn second_difference(x: f64) -> f64 = exp(x) - 2 + exp(-x) # 40 1
fn hyperbolic(x: f64) -> f64 = (exp(x) - exp(-x)) / 2 # 20 1
fn hypotenuse(a: f64, b: f64) -> f64 = sqrt(a^2 + b^2) # 30 1
fn fiftieth_root(x: f64) -> f64 = (x + 1)^(1.0/50) - x^(1.0/50) # 30 1
fn tangent(x: f64) -> f64 = (exp(x) - exp(-x)) / (exp(x) + exp(-x)) # 20 1
fn inverse_sinh(x: f64) -> f64 = log(x + sqrt(x^2 + 1)) # 20 1
fn softplus(x: f64) -> f64 = log(1 + exp(x)) # 40 1
fn square(x: f64, y: f64) -> f64 = x*x - 2*x*y + y*y # 40 1
fn log_step(n: f64) -> f64 = log(n + 1) - log(n) # 30 1
fn tail(x: f64) -> f64 = 1 - erf(x) # 15 1
fn kept(a: f64, b: f64) -> f64 = (a + b) - a # 20 1
var s = 0.0
for k in 0:200 {
    let big = 10.0^(2.0 + 0.07*f64(k))
    let small = 10.0^(-1.0 - 0.06*f64(k))
    let u = 1.0 + 0.005*f64(k)
    s += root_step(big) + one_less(small) + versine(small) + sqrtexp(small)
    s += larger_root(1.0, 1/small, u) + smaller_root(1.0, -1/small, u) + growth(small) + log_ratio(small)
    s += fractions(big) + three_fractions(big) + tan_step(u, small) + sin_step(u, small) + cos_step(u, small) + expq2(small)
    s += expq3(u, 2*u, small) + stirling(big) + log_quotient(small) + half_angle(small) + angle_step(big)
    s += cube_root_step(big) + inverse_root_step(big) + log_sum_exp(f64(k)*10, f64(k)*10 + u) + squares(big, big*(1 + small))
    s += second_difference(small) + hyperbolic(small) + hypotenuse(big^20, big^20) + fiftieth_root(big) + tangent(small)
    s += inverse_sinh(small) + softplus(-f64(k)/2) + square(big, big + u) + log_step(big) + tail(2 + u) + kept(big, small)
}
print(s)
END
cases scalars.dsl
expect 0 "write log1p(-x)" "$DSLC" accuracy scalars.dsl
expect 0 "scalars.dsl:2:30: warning[W0745]: 10 of 16 digits are right here: 'log' enlarges what its operand was rounded by" "$DSLC" accuracy scalars.dsl
expect 0 "write 1 / (sqrt(x + 1) + sqrt(x))" "$DSLC" accuracy scalars.dsl
# It changes nothing by itself
cp scalars.dsl before.dsl
"$DSLC" accuracy scalars.dsl >/dev/null 2>&1
cmp -s scalars.dsl before.dsl || { echo "accuracy alone changed the file"; exit 1; }
# --fix writes all but `(a + b) - a`, which may be meant; then there is nothing else to do
expect 0 "scalars.dsl: 33 changed" "$DSLC" accuracy --fix scalars.dsl
expect 0 "of 1 another form is better" "$DSLC" accuracy scalars.dsl
expect 0 "unless what is rounded off here is what you want" "$DSLC" accuracy scalars.dsl
expect 0 "" "$DSLC" run scalars.dsl
expect 0 "" "$DSLC" interp scalars.dsl

# Functions of the program hide those of the language: no form calls them
cat >own.dsl <<'END'
fn expm1(x: f64) -> f64 = exp(x) - 1
fn hypot(x: f64, y: f64) -> f64 = 1000 * x + 0 * y
fn far(x: f64, y: f64) -> f64 = sqrt(x * x + y * y)
let x = 1e-10 * abs(randn(1, 100))
print(sum(expm1(x)), far([1e200, 2e200], [1e200, 2e200]))
END
expect 0 "of 0 another form is better" "$DSLC" accuracy own.dsl
# What rounding is asked for is left: the error of a sum, rounding to a whole number
cat >meant.dsl <<'END'
fn lost(a: f64, b: f64) -> f64 {
    let s = a + b
    let part = s - a
    return (a - (s - part)) + (b - part)
}
fn whole(x: f64) -> f64 = (x + 6755399441055744.0) - 6755399441055744.0
let x = randn(1, 300)
print(sum(lost(x[i], 1e-10 * x[i]) for i in 0:300), sum(whole(100 * x)))
END
cp meant.dsl before.dsl
"$DSLC" accuracy --fix meant.dsl >/dev/null 2>&1
cmp -s meant.dsl before.dsl || { echo "--fix changed what was meant"; exit 1; }
# Six values say little of two ways; NaN is better than a wrong number
cat >few.dsl <<'END'
fn variance3(a: f64, b: f64, c: f64) -> f64 = (a*a + b*b + c*c)/3 - ((a + b + c)/3)^2
fn share(x: f64) -> f64 = x^2 / (1 + x^2)
let x = randn(1, 6)
print(sum(variance3(1e6 + x, 1e6 + x * x, 1e6 + x^3)), sum(share(1e155 * linspace(1.0, 1500.0, 200))))
END
expect 0 "of 0 another form is better" "$DSLC" accuracy few.dsl

# ---- whole arrays, comprehensions, reductions, kernels; f32, and functions of any type
cat >arrays.dsl <<'END'
kernel step(y: out f64[n], x: f64[n], c: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        let p = x[i] + 1
        y[i] = c * (sqrt(p) - sqrt(x[i])) # 15 1
    }
}
kernel turned(y: inout f32[n], x: f32[n]) {
    shared s: f32[64]
    let i = block.x * 64 + thread.x
    s[thread.x] = exp(x[i]) - 1 # 10 1
    barrier
    y[i] = s[63 - thread.x] + x[i]
}
fn more(x: T, y: T) -> T = (x + y)^2 - x^2 # 1 1
fn roots(a: f64, b: f64, c: f64) -> (f64, f64) {
    let d = sqrt(b*b - 4*a*c)
    return ((-b + d) / (2*a), # 15 1
            (-b - d) / (2*a)) # 15 1
}
let x = 10.0^linspace(0.0, 12.0, 640)
let small = 1/x
let z = sqrt(x + 1) - sqrt(x) # 15 1
let w = (1 - cos(small))/small^2 # 30 1
var y = zeros(f64, 640)
launch step[10, 64](y, x, 2.0)
launch step[10, 64](y, 2*x, 3.0)
let q = f32(small)
var t = zeros(f32, 640)
launch turned[10, 64](t, q)
let m = log(1 - small[:, newaxis] * x[newaxis, 0:3] * 1e-3) # 20 1
let n = log(1 - q) # 10 1
var r = 0.0
for k in 0:640 {
    let (a, b) = roots(1.0, if k % 2 == 0 { x[k] } else { -x[k] }, 1.0)
    r += (if k > 100 { a + b } else { 0.0 }) + more(x[k], 1.0) + f64(more(q[k] + 100, 1))
}
let g = [log(1 + u) for u in small] # 15 1
let h = sum(exp(u) - 1 for u in small) # 15 1
var best = zeros(f64, 1)
parallel for i in 0:640 { atomic best[0] max= (exp(small[i]) - 1) / small[i] } # 15 1
print(sum(z), sum(w), sum(y), sum(t), sum(m), r, sum(g), h, best[0], sum(n))
END
cases arrays.dsl
expect 0 "if b < 0 {" "$DSLC" accuracy arrays.dsl
expect 0 "c / (sqrt(p) + sqrt(x[i]))" "$DSLC" accuracy arrays.dsl
expect 0 "" "$DSLC" accuracy --fix arrays.dsl
expect 0 "of 0 another form is better" "$DSLC" accuracy arrays.dsl
expect 0 "" "$DSLC" run arrays.dsl
cp shown compiled && expect 0 "" "$DSLC" interp arrays.dsl
cmp -s shown compiled || { diff shown compiled; exit 1; }

# ---- (1e8 + 1) - 1e8 of constants, which the compiler has computed, and of values; the type stays
cat >constants.dsl <<'END'
let a: f32 = 1e8
const tiny = 1e-12
fn back(x: f32, y: f32) -> f32 = (x + y) - x # 15 0
print((a + 1) - a) # 25 0
print((f32(1e8) + 1) - f32(1e8)) # 25 0
print((1e17 + 1) - 1e17) # 50 0
print(sqrt(1e15 + 1) - sqrt(1e15)) # 40 0
print(log(1 - tiny)) # 30 0
for k in 0:3 { print(back(1e8, f32(k))) }
END
cases constants.dsl
expect 0 "" "$DSLC" accuracy --fix constants.dsl
"$DSLC" run constants.dsl >shown 2>/dev/null
[ "$(head -4 shown | tr '\n' ' ')" = "1.0 1.0 1.0 1.5811388300841893e-08 " ] || { cat shown; exit 1; }
grep -q 'print(log1p(-tiny))' constants.dsl && grep -q 'print(f32(1.0))' constants.dsl || { cat constants.dsl; exit 1; }

# ---- what is left alone: values for which the form is good, or the other one worse; operands that are rounded already;
# names that mean something else here; a shape that would be another
cat >alone.dsl <<'END'
fn root_step(x: f64) -> f64 = sqrt(x + 1) - sqrt(x)
fn one_and(x: f64) -> f64 = log(1 + x)
fn wide(x: f64) -> f64 = sqrt(x^2 + 1)
fn versine(x: f64) -> f64 = 1 - cos(x)
fn near_pole(a: f64, b: f64) -> f64 = (a + b) - a
fn mixed(a: f64, b: f64) -> f64 = a^2 - b^2
var s = 0.0
for k in 0:100 {
    let u = f64(k) / 100
    s += root_step(u) + one_and(1 + u) + wide(u) + versine(1 + u) + near_pole(u, 1e3) + mixed(u, 2.0)
}
print(s)
END
expect 0 "of 0 another form is better" "$DSLC" accuracy alone.dsl
! grep -q "warning" shown || { cat shown; exit 1; }
cat >rounded.dsl <<'END'
let data = 1e8 + linspace(0.0, 1.0, 1000)
let spread = mean(data^2) - mean(data)^2
print(spread)
END
expect 0 "rounded.dsl:2:14: warning[W0747]: 0 of 16 digits are right here, since the operands were rounded before" "$DSLC" accuracy rounded.dsl
expect 0 "of 0 another form is better" "$DSLC" accuracy rounded.dsl
cat >names.dsl <<'END'
fn last(a: f64, b: f64, c: f64) -> f64 {
    var e = a * c
    let d = sqrt(b*b - 4*e)
    e = 1.0
    return d - b + 0 * e
}
let one = [1.0, 1.0, 1.0]
var s = last(1.0, 1e8, 1.0)
let r = (one + 1e17) - 1e17
print(s, r)
END
expect 0 "write one" "$DSLC" accuracy names.dsl
expect 0 "" "$DSLC" accuracy --fix names.dsl
grep -qE '\* ?e[ /)]|/ .*e\)' names.dsl && grep -q 'd - b' names.dsl || { echo "a name that changes was moved:"; cat names.dsl; exit 1; }
expect 0 "[0. 0. 0.]" "$DSLC" run names.dsl

# ---- derivatives: their operations stand at the places of the function's, and are none of its formulas; imports and
# comments are left; structs, conditions, tests, texts with values
echo 'fn helper(x: f64) -> f64 = exp(x) - 1' >lib.dsl
cat >more.dsl <<'END'
import "lib.dsl"
struct P { x: f64, y: f64 }
fn lens(p: P) -> f64 = sqrt(p.x + 1) - sqrt(p.x) # 15 1
fn branch(x: f64) -> f64 {
    if x > 1 { return log(1 - 1/x) } # 20 1
    return log(1 - x * 1e-9) # 20 1
}
fn product(a: f64, b: f64) -> f64 = (a + b) * (a * b) - a * b * b
var s = 0.0
for i in 0:50 { s += lens(P(x=1e6 + i, y=0.0)) + branch(1e8 + i) + branch(1e-3 * i) + helper(1e-7 * (i + 1)) }
for i in 0:50 { s += grad(product, wrt=a)(1.0 + i, 1e-9 * i) + product(1.0 + i, 2.0) }
print(f"{exp(1e-9 * s) - 1:.3e}") # 10 1
END
cases more.dsl
expect 0 "more.dsl: 4 changed" "$DSLC" accuracy --fix more.dsl
grep -q 'f"{expm1(1e-9 \* s):.3e}"' more.dsl || { cat more.dsl; exit 1; }
printf 'let x = 1e-9\nprint(log(1 - # why\n    x))\n' >comment.dsl
expect 0 "write log1p(-x)" "$DSLC" accuracy --fix comment.dsl
grep -q "# why" comment.dsl || { echo "a comment is gone"; exit 1; }

# ---- budgets
cat >budget.dsl <<'END'
fn near(x: f64) -> f64 = log(1 - x)
fn shape(x: f64) -> f64 = exp(-x) / (1 + x^2) + sqrt(x) / (2 + x)
fn twice(x: f64) -> f64 = (1 - cos(x)) / sin(x)
let x = linspace(0.001, 1.0, 1000)
print(sum(near(1e-9 * x)), sum(shape(x)), sum(twice(1e-5 * x)))
END
expect 0 "of 2 another form is better" "$DSLC" accuracy budget.dsl
expect 0 "of 2 another form is better" "$DSLC" accuracy --cost=1 budget.dsl   # tan pays for log1p
expect 0 "of 1 another form is better" "$DSLC" accuracy --cost=0.85 budget.dsl # not any more
expect 0 "the forms that lose less cost too much" "$DSLC" accuracy --cost=0.85 budget.dsl
expect 0 "note: no forms cost so little together" "$DSLC" accuracy --cost=0.1 budget.dsl
expect 0 "write f64((sqrt(f32(x))" "$DSLC" accuracy --errors=1e-6 budget.dsl
expect 0 "warning[W0746]: this can be computed for less, within" "$DSLC" accuracy --errors=1e-6 budget.dsl
! "$DSLC" accuracy --errors=1e-12 budget.dsl 2>&1 | grep -q "f32(" || { echo "f32 has no 12 digits"; exit 1; }

# ---- arguments, a run that is cut short, JSON
cat >args.dsl <<'END'
arg scale: f64 = 1.0  ## how large
fn step(x: f64) -> f64 = sqrt(x + 1) - sqrt(x)
var k = 0
while k < 100000000 { k += 1; if step(scale * f64(k)) < 0 { break } }
print("done")
END
expect 0 "of 0 another" "$DSLC" accuracy --max-steps=1000 args.dsl -- --scale=1e-3
expect 0 "of 1 another" "$DSLC" accuracy --max-steps=1000 args.dsl -- --scale=1e6
expect 0 "note: stopped after 1000 operations" "$DSLC" accuracy --max-steps=1000 args.dsl
! grep -q done shown || { echo "what the program prints is shown"; exit 1; }
expect 0 '"code":"W0745"' "$DSLC" accuracy --max-steps=1000 --json-diagnostics args.dsl -- --scale=1e6
expect 0 '"replacement":"1 / (sqrt(x + 1) + sqrt(x))","sure":true' "$DSLC" accuracy --max-steps=1000 --json-diagnostics args.dsl -- --scale=1e6

# ---- what is wrong
expect 2 "error[E0704]: option --cost does not take '-1'" "$DSLC" accuracy --cost=-1 alone.dsl
expect 2 "error[E0704]: option --errors does not take 'few'" "$DSLC" accuracy --errors=few alone.dsl
expect 2 "no input file" "$DSLC" accuracy
expect 1 "cannot read 'none.dsl'" "$DSLC" accuracy none.dsl
echo 'assert 1 > 2' >fails.dsl
expect 1 "error[E0748]: the accuracy of the program cannot be examined: it ended with status 1" "$DSLC" accuracy fails.dsl
echo 'module stage=ir' >some.ir
expect 2 "error[E0748]: the accuracy of the program cannot be examined: it has no source" "$DSLC" accuracy some.ir
echo 'let x = 1 +' >broken.dsl
expect 1 "error[E0" "$DSLC" accuracy broken.dsl
echo 'print(1)' >none_at_all.dsl
expect 0 "0 formulas were computed" "$DSLC" accuracy none_at_all.dsl
expect 0 "--errors=ERROR" "$DSLC" accuracy --help

# ---- a name is what it says: what was tried on the way to a formula leaves no text behind, with derivatives or without
cat >leaf.dsl <<'END'
struct Sea { h: f64[n], u: f64[n] }
fn next(a: f64[p]) -> f64[p] = roll(a, -1)
fn rate(s: Sea) -> f64[n] {
    let ke = s.u^2 + next(s.u)^2
    let b = s.h + ke
    return b - s.h
}
fn cost(u: f64[n], h: f64[n]) -> f64 {
    let s = Sea(h=h, u=u)
    return sum((rate(s) + (1e-9 * u - 1e-9))^2)
}
let h = 1e9 + rand(1, 50)
let u = 0.1 * rand(2, 50)
let (value, g) = value_and_grad(cost, wrt=u)(u, h)
print(value, cost(u, h))
END
expect 0 "write ke" "$DSLC" accuracy leaf.dsl
sed '/value_and_grad/d; s/value, //' leaf.dsl >plain_leaf.dsl
expect 0 "write ke" "$DSLC" accuracy plain_leaf.dsl

# ---- numbers and names as a person writes them
cat >names_of_consts.dsl <<'END'
const m = 200
const k = 3.0
let th = [1 - cos(2 * pi * j / m * 1e-3) for j in 0:m] # 10 1
let w = [exp(-j / m) * k * sqrt(f64(j)) + 10.0 for j in 0:m]
let u = [exp(j / (m + m) - 1) for j in 0:m]
print(sum(th), sum(w), sum(u))
END
cases names_of_consts.dsl
expect 0 "" "$DSLC" accuracy --errors=1e-3 names_of_consts.dsl
! grep -E 'write.*(e\+|f64\(j|[^.]200|f32\(-?f64)' shown || { echo "not as a person writes it"; exit 1; }
grep -q 'write f64(exp(f32(-j) / f32(m))' shown || { cat shown; exit 1; }
expect 0 "" "$DSLC" accuracy --errors=1e-3 --fix names_of_consts.dsl
expect 0 "" "$DSLC" run names_of_consts.dsl

# ---- values that `where` does not choose do not count; what --fix writes is not told again
cat >chosen.dsl <<'END'
let b = where(arange(200) % 3 == 0, 1.0, -1.0) * 10.0^linspace(1.0, 8.0, 200)
let y = linspace(-50.0, 50.0, 200)
let r = (-b + sqrt(b^2 - 4)) / 2 # 8 1
let guarded = where(y > 0, 1 / (1 + exp(-y)), exp(y) / (1 + exp(y)))
let nested = where(y > -40, where(y > 1, log(1 + exp(y)), 0.0), 1.0)
let soft = where(y > 20, y, log(1 + exp(y))) # 10 1
print(sum(r), sum(guarded), sum(nested), sum(soft))
END
cases chosen.dsl
expect 0 "chosen.dsl: 2 changed" "$DSLC" accuracy --fix chosen.dsl
expect 0 "of 0 another form is better" "$DSLC" accuracy chosen.dsl
! grep -q warning shown || { cat shown; exit 1; }

# ---- a `let` before a branch is what it is in it, taken or not
cat >branches.dsl <<'END'
fn quad(a: f64, b: f64, c: f64) -> f64 {
    let d = b^2 - 4*a*c
    if d < 0 { return nan }
    return (-b + sqrt(d)) / (2*a) # 15 1
}
fn other(a: f64, b: f64, c: f64) -> f64 {
    let d = b^2 - 4*a*c
    return if d < 0 { 0.0 } else { (-b + sqrt(d)) / (2*a) } # 15 1
}
let b = 10.0^linspace(-1.0, 8.0, 100)
print(sum([if v > 2 { quad(1.0, v, 1.0) } else { 0.0 } for v in b]), sum([other(1.0, v, 1.0) for v in b]), quad(1.0, 1.0, 1.0))
END
cases branches.dsl
expect 0 "write -2 * c / (sqrt(d) + b)" "$DSLC" accuracy branches.dsl

# ---- what a changed `let` may have cured keeps its name, and is judged anew
cat >waits.dsl <<'END'
fn f(a: f64) -> f64 {
    let b = sqrt(a + 1) - sqrt(a) # 13 1
    return b * (1 - b) + b^2 * a + exp(b) - 1
}
print(sum([f(x) for x in 10.0^linspace(0.0, 9.0, 200)]))
END
cases waits.dsl
expect 0 "waits.dsl: 1 changed" "$DSLC" accuracy --fix waits.dsl
grep -q 'return b \* (1 - b) + b^2 \* a + exp(b) - 1' waits.dsl || { cat waits.dsl; exit 1; }

# ---- sums of loops; what else is computed of them than a variance; what --fix leaves says why
cat >loop_sums.dsl <<'END'
fn spread(x: f64[n]) -> f64 {
    var s = 0.0
    var s2 = 0.0
    for i in 0:n { s += x[i]; s2 += x[i]*x[i] }
    return s2/n - (s/n)^2
}
let x = 1e8 + linspace(0.0, 1.0, 100)
let y = 1e8 + linspace(1.0, 0.0, 100)
print(spread(x), mean(x * y) - mean(x) * mean(y))
END
expect 0 "loop_sums.dsl:5:12: warning[W0747]" "$DSLC" accuracy loop_sums.dsl
expect 0 "subtract the mean before it is summed: variance(x), or" "$DSLC" accuracy loop_sums.dsl
expect 0 "loop_sums.dsl:9:18: warning[W0747]" "$DSLC" accuracy loop_sums.dsl
expect 0 "mean((x - mean(x)) * (y - mean(y))), or cov(x, y)" "$DSLC" accuracy loop_sums.dsl
printf 'let x = 1e-9\nprint(log(1 - # why\n    x))\n' >comment.dsl
expect 0 "hint: --fix leaves it: a comment stands in the formula" "$DSLC" accuracy comment.dsl

# ---- angles: arcs near 0, chords
cat >angles.dsl <<'END'
fn arc(z: f64) -> f64 = acos(1 - z) # 15 1
fn chord(e: f64) -> f64 = sqrt(2 - 2*cos(e)) # 30 1
print(sum([arc(10.0^(-0.06*k)) for k in 0:200]), sum([chord(10.0^(-0.06*k)) for k in 0:200]))
END
cases angles.dsl

# ---- reductions: sums of exponentials, norms, products of probabilities; whole arrays, generators, kernels, names of `let`,
# both types; what --fix writes runs, and nothing is left to say
cat >sums.dsl <<'END'
kernel soft(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = exp(x[i]) / sum(exp(x[j]) for j in 0:n) } # 30 1.5
}
fn named(x: f64[n]) -> f64 {
    let e = exp(x)
    let s = sum(e)
    return 2 * log(s) # 30 1.5
}
fn whole(a: f32[n, m]) -> f32 = log(sum(exp(a))) # 20 1.5
fn pairs(a: f64[n, m]) -> f64 = log(sum(exp(a[i, j]) for i in 0:n, j in 0:m)) # 30 1.5
fn rows(a: f64[n, m]) -> f64[n] = [log(sum(exp(a[i, j]) for j in 0:m)) for i in 0:n] # 30 1.5
fn small(x: f32[n]) -> f32 = sqrt(sum(x^2)) # 5 1.5
fn length(x: f64[n]) -> f64 = sqrt(sum(x[k] * x[k] for k in 0:n)) # 30 1.5
fn likelihood(p: f64[n]) -> f64 = log(prod(p)) # 30 1.5
fn likelihood_of(p: f32[n]) -> f32 = -log(prod(p[k] for k in 0:n)) # 5 1.5
fn weights(x: f32[n]) -> f32[n] = exp(x) / sum(exp(x)) # 20 1.5
fn scaled(x: f64[n], t: f64) -> f64 = t * log(sum(exp(x / t))) # 30 1.5
fn centred(x: f64[n], c: f64) -> f64 = sqrt(sum((x - c)^2)) # 30 1.5
let x = 1000 * linspace(0.5, 1.5, 60)
let a = reshape(x, 6, 10)
var y = zeros(f64, 60)
launch soft[1, 64](y, x)
for k in 1:4 {
    print(sum(y), named(k * x), whole(f32(k * a)), pairs(k * a), rows(a), small(f32(1e-24 * k * x)), length(1e200 * x))
    print(likelihood(1e-10 * x), likelihood_of(f32(1e-4 * x)), weights(f32(k * x)), scaled(x, 0.1), centred(1e180 * x, 1e180))
}
END
cases sums.dsl
expect 0 "write 2 * (max(x) + log(sum(exp(x - max(x)))))" "$DSLC" accuracy sums.dsl
expect 0 "write exp(x[i] - max(x[j] for j in 0:n)) / sum(exp(x[j] - max(x[j] for j in 0:n)) for j in 0:n)" "$DSLC" accuracy sums.dsl
expect 0 "write -sum(log(p[k]) for k in 0:n)" "$DSLC" accuracy sums.dsl
expect 0 "sums.dsl: 12 changed" "$DSLC" accuracy --fix sums.dsl
expect 0 "of 0 another form is better" "$DSLC" accuracy sums.dsl
! grep -q "W074" shown || { cat shown; exit 1; }
expect 0 "-969.89995933" "$DSLC" run sums.dsl
cp shown compiled && expect 0 "" "$DSLC" interp sums.dsl
cmp -s shown compiled || { diff shown compiled; exit 1; }

# What is as good as it is: moderate values, forms that are shifted already, sums of what is not an exponential; names
# that mean something else; norms that do not overflow, of zeros too
cat >sums_alone.dsl <<'END'
fn plain(x: f64[n]) -> f64 = log(sum(exp(x)))
fn shifted(x: f64[n]) -> f64 = max(x) + log(sum(exp(x - max(x))))
fn soft(x: f64[n]) -> f64[n] = exp(x) / sum(exp(x))
fn length(x: f64[n]) -> f64 = sqrt(sum(x * x))
fn likelihood(p: f64[n]) -> f64 = log(prod(p))
fn squares(x: f64[n], y: f64[n]) -> f64 = sqrt(sum(x * x) + sum(y * y))
fn other(x: f64[n], y: f64[m]) -> f64 = log(sum(exp(x)) + sum(exp(y[k]) for k in 0:m))
let x = linspace(-1.0, 1.0, 30)
for k in 1:4 {
    print(plain(k * x), shifted(900 * k * x), soft(k * x), length(k * x), length(0 * x), likelihood(1 + 0.1 * x))
    print(squares(x, k * x), other(x, x[0:k]))
}
END
expect 0 "of 0 another form is better" "$DSLC" accuracy sums_alone.dsl
! grep -q warning shown || { cat shown; exit 1; }
cat >sums_hidden.dsl <<'END'
fn max(x: f64[n]) -> f64 = 0.0 * x[0]
fn lse(x: f64[n]) -> f64 = log(sum(exp(x)))
print([lse(1000.0 * k + linspace(0.0, 1.0, 5)) + max([1.0]) for k in 1:4])
END
expect 0 "of 0 another form is better" "$DSLC" accuracy sums_hidden.dsl

# ---- sums of loops, which round each time: time steps, sums on the way, threads of kernels. Not those of few turns, sums
# that end near 0 because their terms do, sums in a tree, ints
cat >turns.dsl <<'END'
kernel add_up(y: out f32[n], x: f32[n], m: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var s: f32 = 0.0
        for j in 0:m { s += x[i] * 0.1 + f32(j) }
        y[i] = s
    }
}
fn until(end: f64, dt: f64) -> int {
    var t = 0.0
    var k = 0
    while t < end {
        t = dt + t
        k += 1
    }
    return k
}
var t = 0.0
for i in 0:20000 { t += 0.1 }
var way: f32 = 0.0
var c = zeros(f32, 20000)
for i in 0:20000 {
    way += 0.7 + 1e-4 * f32(i % 3)
    c[i] = way
}
var q = 0.0
for i in 0:20000 { q += sin(f64(i)) }
var few = 0.0
for i in 0:50 { few += 0.1 }
var wide = 0.0
for i in 0:20000 { wide += f64(f32(0.1)) }
var y = zeros(f32, 64)
launch add_up[1, 64](y, f32(rand(1, 64)), 40)
launch add_up[1, 64](y, f32(rand(1, 64)), 4000)
print(t, way, q, few, wide, y[3], c[7], until(1000.0, 0.1), sum(0.1 + 0 * c))
END
expect 0 "turns.dsl:5:24: warning[W0752]: 5 of 7 digits are right of this sum of 4000 turns" "$DSLC" accuracy turns.dsl
expect 0 "turns.dsl:13:13: warning[W0752]: 13 of 16 digits are right of this sum of 10000 turns" "$DSLC" accuracy turns.dsl
expect 0 "turns.dsl:19:20: warning[W0752]: 12 of 16 digits are right of this sum of 20000 turns" "$DSLC" accuracy turns.dsl
expect 0 "each turn adds the same: compute it of the turn, start + (i + 1) * step" "$DSLC" accuracy turns.dsl
expect 0 "turns.dsl:23:5: warning[W0752]" "$DSLC" accuracy turns.dsl
expect 0 "add in f64; or write sum(.. for ..), which adds in a tree" "$DSLC" accuracy turns.dsl
[ "$(grep -c 'W0752' shown)" = 4 ] || { cat shown; exit 1; }
