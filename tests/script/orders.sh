# Passes left out, repeated and moved: each change that `dslc tune` tries prints what the program prints; what is none is told.
. "$ROOT/tests/script/lib.inc"
cat >a.dsl <<'EOF'
kernel smooth(y: out f64[n, m], x: f64[n, m]) {
    shared s: f64[6, 8]
    let y0 = block.y * 6
    let x0 = block.x * 8
    let low = min(5, n - 1 - y0)
    let right = min(7, m - 1 - x0)
    let t = thread.x
    let u = thread.y
    if t <= right and u <= low { s[u, t] = x[y0 + u, x0 + t] }
    barrier
    if t <= right and u <= low { y[y0 + u, x0 + t] = s[max(u - 1, 0), t] / 3 + s[u, min(t + 1, right)] }
}
kernel count(h: inout f64[k], x: f64[n, m]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { for j in 0:m { atomic h[int(x[i, j] * 5) % k] += x[i, j] } }
}
fn all(n: int, m: int) {
    let a = [f64((i * 7 + j * 3) % 11) / 3 for i in 0:n, j in 0:m]
    var y = a
    launch smooth[(ceildiv(m, 8), ceildiv(n, 6)), (8, 6)](y, a)
    var h = zeros(f64, 4)
    launch count[ceildiv(n, 4), 4](h, a)
    let c = exp(-a) * 2 + y
    var last = zeros(f64, n, m)
    parallel for i in 0:n, j in 0:m {
        var s = 0.0
        for k in 0:m { if a[i, k] > 1.5 { s += c[i, k] / 3 } }
        last[i, j] = s + c[max(i - 1, 0), min(j + 1, m - 1)]
    }
    for t in 0:5 { y = [if i > 0 and i < n - 1 { y[i - 1, j] + y[i + 1, j] } else { y[i, j] } for i in 0:n, j in 0:m] }
    print(h, last, y, cumsum(a[0]), [sum(c[k, j] for k in 0:n) for j in 0:m])
}
all(6, 8)
all(13, 21)
EOF
"$DSLC" interp --stage=ir a.dsl >want || { cat want; exit 1; }
# what may be left out, by the table: NAME, or NAME.N where there are several rows of the name
awk -F'"' '/^PASS\(/ { row[++n] = $2; rest[n] = $3; rows[$2]++ }
    END { for (i = 1; i <= n; i++) {
        split(rest[i], part, ", "); seen[row[i]]++
        if (part[3] == part[4] && part[5] >= 1 && part[5] <= 3 && part[6] == "ALWAYS" && part[7] != "RANKS")
            print "--without-pass=" row[i] (rows[row[i]] > 1 ? "." seen[row[i]] : "") } }' "$ROOT/pipeline/passes.def" >all
[ "$(wc -l <all)" -gt 60 ] || { echo "passes that may be left out:"; cat all; exit 1; }
sed -n 's/^ORDER("\(.*\)", "\(.*\)")$/--\1=\2/p' "$ROOT/pipeline/orders.def" >orders
[ "$(wc -l <orders)" -gt 20 ] || { echo "other orders:"; cat orders; exit 1; }
while read -r edit; do
    "$DSLC" interp --stage=loops --verify-each "$edit" a.dsl >got 2>&1 && cmp -s want got ||
        { echo "differs, interpreted: $edit"; diff want got | head -20; exit 1; }
done <<EOF
$(cat all orders)
EOF
compiled() { # options
    "$DSLC" build "$@" a.dsl -o a.exe >got 2>&1 || { echo "cannot be built: $*"; cat got; exit 1; }
    for t in 1 2 7; do
        DSL_NUM_THREADS=$t ./a.exe >got 2>&1 && cmp -s want got || { echo "differs with $t threads: $*"; diff want got | head -20; exit 1; }
    done
}
compiled $(cat orders) --thread-cost=1
compiled $(sed -n 'p;n' all) --thread-cost=1
compiled $(sed -n 'n;p' all) --thread-cost=1
# they change the program, and the cache knows it
cat >b.dsl <<'EOF'
let a = [f64(i % 7) for i in 0:1000]
let b = exp(a)
print(sum(sin(b)))
EOF
"$DSLC" --emit=c b.dsl >usual.c
"$DSLC" --emit=c --without-pass=fuse b.dsl >without.c
! cmp -s usual.c without.c || { echo "fuse is not left out"; exit 1; }
"$DSLC" --emit=c --without-pass=fuse --with-pass=fuse@hoist-checks.1 b.dsl >later.c
"$DSLC" --emit=c --move-pass=fuse@hoist-checks.1 b.dsl >moved.c
cmp later.c moved.c || { echo "moved is not left out and put elsewhere"; exit 1; }
"$DSLC" run --print-after=fuse --with-pass=fuse@small-arrays b.dsl 2>&1 | grep -c '^# after fuse' >times
[ "$(cat times)" = 2 ] || { echo "fuse ran so many times:"; cat times; exit 1; }
# of what derivatives are taken the passes stay as they are
cat >g.dsl <<'EOF'
fn f(x: f64[n]) -> f64 = sum(x^3 / (1 + x^2))
print(grad f([0.1 * f64(i) for i in 0:9]))
EOF
"$DSLC" --emit=grad g.dsl >usual.ir 2>&1
"$DSLC" --emit=grad --without-pass=fold.1 --without-pass=cse.1 g.dsl >edited.ir 2>&1
cmp usual.ir edited.ir || { echo "derivatives are taken of something else"; exit 1; }
# what is none
wrong() { # option, hint
    expect 2 "$2" "$DSLC" run "$1" b.dsl
}
wrong --without-pass=licm "the passes of this name are licm.1 to licm."
wrong --without-pass=licm.9 "the passes of this name are licm.1 to licm."
wrong --without-pass=fuse.1 "the pass is 'fuse'"
wrong --without-pass=bufferize "'bufferize' must run"
wrong --without-pass=lics "there is no pass 'lics': did you mean 'licm'?"
wrong --without-pass= "there is no pass ''"
wrong --with-pass=fuse "it takes PASS@PASS"
wrong --with-pass=fuze@fuse "did you mean 'fuse'?"
wrong --with-pass=lanes@fuse "'lanes' does not run at stage par"
wrong --with-pass=lanes@reuse "'lanes' has to run before that"
wrong --with-pass=cse@prove-races "'prove-races' does not always run"
wrong --move-pass=bufferize@fuse "'bufferize' stays where it is"
# in FILE.tune
printf 'without-pass fuse\nmove-pass licm.2@reuse # 0.9\n' >b.dsl.tune
expect 0 "" "$DSLC" build --keep-c b.dsl -o b.exe
expect 0 "b.dsl.tune: without-pass fuse" "$DSLC" run --explain-choices b.dsl
printf 'without-pass fuze\n' >b.dsl.tune
expect 1 "b.dsl.tune:1:1: error[E0740]: 'without-pass fuze' is no setting" "$DSLC" run b.dsl
expect 1 "there is no pass 'fuze': did you mean 'fuse'?" "$DSLC" run b.dsl
