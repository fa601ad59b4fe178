# Traces cost nothing where it matters: loops of calls that are replaced by the body, and calls of what cannot fail, keep
# no frames; `interp --where` tells the indices around a failure.
. "$ROOT/tests/script/lib.inc"
cat >hot.dsl <<'X'
fn at(x: f64[n], i: int) -> f64 = x[i]
fn total(x: f64[n], index: int[m]) -> f64 {
    var s = 0.0
    for i in 0:m { s += at(x, index[i]) }
    return s
}
print(total([1.0, 2.0, 3.0], [0, 2, 1, 3]))
X
expect 0 '' "$DSLC" --emit=c hot.dsl -o hot.c
! grep -n 'dsl_enter\|dsl_launch' hot.c || { echo "frames in a loop without calls"; exit 1; }
expect 1 "'total' called it where i = 3" "$DSLC" interp --where hot.dsl
cat >deep.dsl <<'X'
fn at(x: f64[n], i: int) -> f64 = x[i]
fn row(x: f64[n], k: int) -> f64 = sum(at(x, i + j) for i in 0:k, j in 0:2)
for q in 0:10 { print(row(ones(f64, 4), q)) }
X
expect 1 "'row' called it where i = 3, j = 1" "$DSLC" interp --where deep.dsl
expect 1 'the program came there where q = 4' "$DSLC" interp --where deep.dsl
cat >kernel.dsl <<'X'
kernel k(y: inout f64[n, m], at: int[p]) {
    for s in 0:3 { y[thread.y, at[thread.x + s]] += block.x + 1 }
}
var y = zeros(f64, 2, 5)
launch k[1, (4, 2)](y, [0, 1, 2, 3, 4, 5])
print(y)
X
expect 1 'this is where block.x = 0, thread.x = 3, thread.y = 0, s = 2' "$DSLC" interp --where kernel.dsl
