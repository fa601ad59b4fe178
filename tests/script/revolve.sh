# Binomial checkpoints compute as few steps anew as the formula says: a C function counts them.
. "$ROOT/tests/script/lib.inc"
cat >tick.c <<'END'
static long count;
double tick(double x) { count++; return x; }
long ticks(long k) { long n = count; count = k; return n; }
END
cat >count.dsl <<'END'
extern fn tick(x: f64) -> f64
extern fn ticks(k: int) -> int
vjp fn tick(x: f64, s: f64) -> f64 = s
fn run(x: f64, n: int) -> f64 {
    var y = x
    for t in checkpoint(0:n, slots=many) { y = sin(tick(y)) }
    return y
}
fn plain(x: f64, n: int) -> f64 {
    var y = x
    for t in 0:n { y = sin(tick(y)) }
    return y
}
const many = 10
arg turns: int = 1000
let g = grad(plain, wrt=x)(0.3, turns)
let once = ticks(0)
print(g == grad(run, wrt=x)(0.3, turns), ticks(0) - turns, once == 2 * turns)
END
# The formula, besides the steps that are reversed, once each
steps() { # turns, slots
    awk -v l="$1" -v s="$2" 'function c(n, k,  i, p) { p = 1; for (i = 1; i <= k; i++) p = p * (n - k + i) / i; return p }
        BEGIN { r = 0; while (c(s + r, s) < l) r++; print r * l - c(s + r, r - 1) }'
}
[ "$(steps 1000 10)" = 3636 ] && [ "$(steps 64 8)" = 137 ] && [ "$(steps 10000 20)" = 37976 ] || exit 1
for case in "1000 10" "64 8" "10000 20" "7 1" "100 2" "50 60"; do
    set -- $case
    "$DSLC" build -D many=$2 --link tick.c count.dsl -o count
    want=$(steps $1 $2) got=$(./count --turns=$1)
    echo "$case: $got, $want"
    [ "$got" = "true $want true" ] || exit 1
done
# Of a loop in a loop a condition on what the outer one carries, which varies, comes along
cat >inner.dsl <<'E'
fn f(c: f64, u0: f64[n], k: int) -> f64 {
    var u = u0
    var s = c
    for i in 0:n + 1 {
        var j = 1
        while j < k {
            for q in j:i { u[j - 1] = c * u[j] * q }
            if s > 0.9 { return 0.1 * i }
            j += 1
        }
        s = 0.4 * s * u[0] + 0.1 * c
    }
    return s + sum(u^2)
}
arg n: int = 3
print(grad(f, wrt=(c, u0))(0.3, [0.2 for i in 0:n], n))
E
"$DSLC" run inner.dsl >want.txt && "$DSLC" run --memory-limit=200 inner.dsl >got.txt && cmp want.txt got.txt || exit 1
# With a limit that holds all that a loop keeps, which is found when it runs, it runs twice: for its values, and to be reversed
cat >ample.dsl <<'END'
extern fn tick(x: f64) -> f64
extern fn ticks(k: int) -> int
vjp fn tick(x: f64, s: f64) -> f64 = s
fn run(x: f64[n], turns: int) -> f64 {
    var y = x
    for t in 0:turns { y = tick(y[0]) * sin(y) }
    return sum(y)
}
arg turns: int = 100
print(sum(grad(run, wrt=x)(1 + rand(1, 1000), turns)), ticks(0))
END
for case in "1MB 100 200" "1MB 7 14" "400KB 40 80" "100KB 100 416"; do
    set -- $case
    "$DSLC" build --memory-limit=$1 --link tick.c ample.dsl -o ample && "$DSLC" build --link tick.c ample.dsl -o all
    echo "$case: $(./ample --turns=$2), $(./all --turns=$2)"
    [ "$(./ample --turns=$2)" = "$(./all --turns=$2 | cut -d' ' -f1) $3" ] || exit 1
done
