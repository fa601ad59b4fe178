# Rules of derivatives are compared with differences by `dslc test`, those of the file alone; right and wrong ones.
. "$ROOT/tests/script/lib.inc"
cat >rules.dsl <<'END'
struct Pair { a: f64, b: f64[2], n: int }
fn right(x: f64[n], k: int, m: f32) -> f64[n] = x^2 * f64(k) + f64(m)
vjp fn right(x: f64[n], k: int, m: f32, s: f64[n]) -> (f64[n], f32) = (2 * f64(k) * x * s, f32(sum(s)))
jvp fn right(x: f64[n], k: int, m: f32, d: (f64[n], f32)) -> f64[n] = 2 * f64(k) * x * d.0 + f64(d.1)
fn pair(p: Pair) -> Pair = Pair(a=p.a * p.b[0], b=p.b * p.a, n=p.n)
vjp fn pair(p: Pair, s: Pair) -> Pair =
    Pair(a=s.a * p.b[0] + sum(s.b * p.b), b=[s.a * p.a, 0] + s.b * p.a, n=0)
fn nowhere(x: f64) -> f64 = log(-x)
vjp fn nowhere(x: f64, s: f64) -> f64 = 10 * s
print("not run")
END
expect 0 "ok vjp fn pair agrees with differences" "$DSLC" test rules.dsl
expect 0 "4 passed, 0 failed" "$DSLC" test rules.dsl
! grep -q "not run" shown || { echo "the script ran"; exit 1; }
echo 'import "rules.dsl"
fn slow(x: f64) -> f64 = x^3
jvp fn slow(x: f64, y: f64, d: f64) -> f64 = 2 * y / x * d
test "own" { assert grad(slow)(2.0) == 8 }' >imports.dsl
expect 1 "differences give" "$DSLC" test imports.dsl
expect 1 "1 passed, 1 failed" "$DSLC" test imports.dsl
expect 0 "1 passed, 0 failed" "$DSLC" test --filter=own imports.dsl
