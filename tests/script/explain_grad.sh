# --explain-grad: what is kept, what is computed anew, and each way of adding up
. "$ROOT/tests/script/lib.inc"
cat >heat.dsl <<'END'
kernel spread(y: inout f64[m], x: f64[n], at: int[n]) {
    shared s: f64[4]
    let t = thread.x
    let i = block.x * 4 + t
    s[t] = sin(x[i])
    barrier
    atomic y[at[i]] += s[t] * s[3 - t]
}
fn total(x: f64[n], at: int[n]) -> f64 {
    var y = zeros(f64, 2)
    launch spread[n // 4, 4](y, x, at)
    return sum(y^2)
}
fn heat(u0: f64[n], at: int[n]) -> f64 {
    var u = u0
    for t in 0:10 { u = [u[i] + 0.1 * sin(u[i]) * (u[max(i - 1, 0)] - u[i]) for i in 0:n] }
    return sum(u[at[i]]^2 for i in 0:n) + sum((u[i + 1] - u[i])^2 for i in 0:n - 1)
}
fn scaled(a: f64, x: f64[n]) -> f64 = sum(sin(a * x[i]) for i in 0:n)
print(grad(total, wrt=x)([0.1, 0.2, 0.3, 0.4], [0, 1, 1, 0]))
print(grad(heat, wrt=u0)([0.1, 0.2, 0.3, 0.4], [0, 1, 1, 0]), grad(scaled, wrt=a)(1.0, [1.0, 2.0]))
END
told() { expect 0 "$1" "$DSLC" check --explain-grad heat.dsl; }
told "heat.dsl:5:5: computed anew, since what it needs is kept or never changes: store"
told "heat.dsl:16:5: kept of"
told "a row for each turn: 320 bytes"
told "heat.dsl:5:12: computed anew, since what it needs is kept or never changes: sin"
told "heat.dsl:17:43: the derivative by 'u' is added up by a gather"
told "heat.dsl:17:16: the derivative by 'u' is added up by a scatter"
told "heat.dsl:19:39: the derivative by"
told "a reduction in a fixed tree, over all that read it"
told "heat.dsl:5:16: the derivative by 'x' is added up by plain additions: proved"
"$DSLC" check heat.dsl >quiet 2>&1 && [ ! -s quiet ] || { cat quiet; exit 1; }
# The threads of the reverse launch do not race either: proved, through its barriers
expect 0 "heat.dsl:5:16: races of threads on 'x': proved" "$DSLC" check --explain-checks heat.dsl
expect 0 "races with derivatives: 7 pairs of accesses: 7 proved, 0 refuted, 0 unknown" "$DSLC" check --explain-checks heat.dsl
