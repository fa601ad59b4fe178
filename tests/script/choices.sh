# Every alternative of opt/choices.def prints what the program prints, interpreted and compiled; the table is what help shows.
. "$ROOT/tests/script/lib.inc"
cat >a.dsl <<'END'
# what the choices are about: tiles that are clamped, sums along rows and columns, neighbouring loops, branches in loops
kernel smooth(y: out f64[n, m], x: f64[n, m], turns: int) {
    shared s: f64[6, 8]
    let y0 = block.y * 6
    let x0 = block.x * 8
    let low = min(5, n - 1 - y0)
    let right = min(m - 1 - x0, 7)
    let t = thread.x
    let u = thread.y
    if t <= right and u <= low { s[u, t] = x[y0 + u, x0 + t] }
    barrier
    for k in 0:turns {
        let next = s[min(max(u - 1, 0), low), min(t + 1, right)] + s[min(u + 1, low), min(max(t - 1, 0), right)]
        barrier
        if t <= right and u <= low { s[u, t] = (s[u, t] + next) / 3 }
        barrier
    }
    if t <= right and u <= low { y[y0 + u, x0 + t] = s[u, t] }
}
fn smoothed(x: f64[n, m], total: int) -> f64[n, m] {
    var y = x
    var z = x
    for done in 0:total:2 {
        launch smooth[(ceildiv(m, 8), ceildiv(n, 6)), (8, 6)](z, y, min(2, total - done))
        let old = y
        y = z
        z = old
    }
    return y
}
fn all(n: int, m: int) {
    let a = [f64((i * 7 + j * 3) % 11) / 3 for i in 0:n, j in 0:m]
    print(smoothed(a, 1), smoothed(a, 4), smoothed(a, 5))
    let b = [f32((i + j * 5) % 13) / 7 for i in 0:m, j in 0:n + 40]
    print([sum(f32(a[i, k]) * b[k, j] for k in 0:m) for i in 0:n, j in 0:n + 40])
    print([sum(b[k, j] for k in 0:m) for j in 0:n + 40])
    let c = exp(-a) * 2 + 1
    let d = c * a - max(c)
    var last = zeros(f64, n, m)
    parallel for i in 0:n, j in 0:m {
        var s = 0.0
        for k in 0:m { if a[i, k] > 1.5 { s += d[i, k] / 3 } }
        last[i, j] = s + d[max(i - 1, 0), min(j + 1, m - 1)]
    }
    print(d, last, cumsum(a[0]))
}
all(1, 1)
all(6, 8)
all(13, 25)
END
"$DSLC" interp --stage=ir a.dsl >want || { cat want; exit 1; }
"$DSLC" tune --help | awk '/^choices/ { on = 1; next } on && /^  [a-z]/ { name = $1; next } on { for (i = 1; i <= NF; i++) print name "=" $i }' >all
[ "$(wc -l <all)" -gt 30 ] || { echo "choices in help:"; cat all; exit 1; }
compiled() { # options
    "$DSLC" build "$@" a.dsl -o a.exe >got 2>&1 || { echo "cannot be built: $*"; cat got; exit 1; }
    for t in 1 2 7; do
        DSL_NUM_THREADS=$t ./a.exe >got 2>&1 && cmp -s want got || { echo "differs with $t threads: $*"; diff want got | head -20; exit 1; }
    done
}
rest=
while read -r choice; do
    "$DSLC" interp --stage=loops --verify-each --choose="$choice" a.dsl >got 2>&1 && cmp -s want got ||
        { echo "differs, interpreted: $choice"; diff want got | head -20; exit 1; }
    case $choice in *=no | schedule=*) rest="$rest --choose=$choice" ;; esac
done <all
compiled --choose=specialize=launches
compiled --choose=specialize=no --choose=lane-rows=8 --choose=lane-bytes=64 --choose=strip-bytes=128 --choose=cc-unroll=-funroll-loops --choose=thread-cost=20000
compiled --choose=specialize=blocks --choose=lane-rows=2 --choose=lane-bytes=256 --choose=strip-bytes=2048 --choose=cc-level=-O2 --choose=schedule=dynamic --thread-cost=1
compiled -O1 $rest --thread-cost=1
expect 2 "--choose does not take 'fuse=perhaps'" "$DSLC" run --choose=fuse=perhaps a.dsl
expect 2 "it takes NAME=VALUE" "$DSLC" run --choose=fuse a.dsl
