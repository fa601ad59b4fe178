# --coarsen-thread, --coarsen-block: other shapes of launches, the same bits; sizes that no factor divides.
. "$ROOT/tests/script/lib.inc"
cat >a.dsl <<'END'
# one axis, shared memory, a loop around barriers that halves
kernel sums(total: out f64[b], x: f64[n]) {
    shared s: f64[13]
    let t = thread.x
    let i = block.x * blockdim.x + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var half = 7
    while half > 0 {
        let other = if t + half < 13 and t < half { s[t + half] } else { 0.0 }
        barrier
        if t < half { s[t] += other }
        barrier
        half = if half == 1 { 0 } else { (half + 1) // 2 }
    }
    if t == 0 { total[block.x] = s[0] }
}
# two axes, values carried across barriers
kernel product(c: out f32[n, m], a: f32[n, k], b: f32[k, m]) {
    shared ta: f32[5, 7]
    shared tb: f32[7, 7]
    let row = block.y * 5 + thread.y
    let col = block.x * 7 + thread.x
    var sum: f32 = 0.0
    for t in 0:ceildiv(k, 7) {
        let ka = t * 7 + thread.x
        ta[thread.y, thread.x] = if row < n and ka < k { a[row, ka] } else { 0.0 }
        for r in thread.y:7:5 {
            let kb = t * 7 + r
            tb[r, thread.x] = if kb < k and col < m { b[kb, col] } else { 0.0 }
        }
        barrier
        for j in 0:7 { sum += ta[thread.y, j] * tb[j, thread.x] }
        barrier
    }
    if row < n and col < m { c[row, col] = sum }
}
# three axes, a private array, a barrier on one side of an if, an early return, whole-number atomics
kernel mixed(y: inout f64[p, n, m], count: inout int[3], far: int) {
    shared s: f64[2, 3, 5]
    var own: f64[3]
    let x = block.x * 5 + thread.x
    let r = block.y * 3 + thread.y
    let z = block.z * 2 + thread.z
    let here = x < m and r < n and z < p
    if here {
        for i in 0:3 { own[i] = y[z, r, x] + f64(i) / 3 }
    }
    s[thread.z, thread.y, thread.x] = own[thread.x % 3]
    barrier
    if here { atomic count[(x + r + z) % 3] += x }
    var back = 0.0
    if far > 1 {
        back = s[1 - thread.z, 2 - thread.y, 4 - thread.x]
        barrier
        s[thread.z, thread.y, thread.x] = own[thread.x % 2] + back
        barrier
    } else {
        back = own[1]
    }
    if not here { return }
    y[z, r, x] += back * s[thread.z, 2 - thread.y, 4 - thread.x]
}
# no barrier
kernel blur(y: out f64[n, m], x: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 and j >= 1 and j < m - 1 {
        y[i, j] = (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]) / 3
    }
}
fn all(n: int, m: int, k: int) {
    let x = [f64(i * 37 % 101) / 7 for i in 0:n * m]
    var total = zeros(f64, ceildiv(n * m, 13))
    launch sums[ceildiv(n * m, 13), 13](total, x)
    print(n, m, k, total)
    let a = [f32(i * 5 + j * 3) / 7 for i in 0:n, j in 0:k]
    let b = [f32(i - j) / 9 for i in 0:k, j in 0:m]
    var c = zeros(f32, n, m)
    launch product[(ceildiv(m, 7), ceildiv(n, 5)), (7, 5)](c, a, b)
    print(c)
    for far in 1:3 {
        var y = [f64(i + 2 * j + 3 * l) / 5 for l in 0:k, i in 0:n, j in 0:m]
        var count = [0, 0, 0]
        launch mixed[(ceildiv(m, 5), ceildiv(n, 3), ceildiv(k, 2)), (5, 3, 2)](y, count, far)
        print(far, count, y)
    }
    var y = zeros(f64, n, m)
    let image = [f64(i * j % 11) for i in 0:n, j in 0:m]
    launch blur[(ceildiv(m, 8), ceildiv(n, 3)), (8, 3)](y, image)
    print(y)
}
all(1, 1, 1)
all(2, 3, 5)
all(7, 11, 13)
all(17, 7, 2)
END
"$DSLC" interp --stage=ir a.dsl >want || { cat want; exit 1; }
same() { # options: interpreted
    "$DSLC" interp --stage=loops --verify-each "$@" a.dsl >got 2>&1 && cmp -s want got || { echo "differs, interpreted: $*"; diff want got | head -20; exit 1; }
}
same_compiled() { # options
    "$DSLC" build -O1 "$@" a.dsl -o a.exe >got 2>&1 || { echo "cannot be built: $*"; cat got; exit 1; }
    for t in 1 2 7; do
        DSL_NUM_THREADS=$t ./a.exe >got 2>&1 && cmp -s want got || { echo "differs with $t threads: $*"; diff want got | head -20; exit 1; }
    done
}
for f in 2 3 4 8; do
    for axis in x y z; do
        same --coarsen-thread=$axis:$f
        same --coarsen-block=$axis:$f
    done
    same --coarsen-thread=x:$f,y:$f,z:$f
    same --coarsen-block=x:$f,y:$f,z:$f
    # each kind and axis in some kernel; compiling is what takes time
    for kind in thread block; do
        same_compiled --coarsen-$kind=sums=x:$f --coarsen-$kind=product=y:$f --coarsen-$kind=mixed=z:$f --coarsen-$kind=blur=x:$f
    done
done
same_compiled -O2 --coarsen-thread=x:2,y:3,z:2
same_compiled -O2 --coarsen-block=x:3,y:2
same_compiled --coarsen-block=x:3,y:2,z:4
same_compiled --coarsen-thread=x:8,y:4 --coarsen-block=x:2 --coarsen-thread=mixed=z:2 --coarsen-block=sums=x:3
# the programs of tests/run with barriers, too
for name in shared_memory barriers kernel_control private_arrays kernel_arrays atomics layer; do
    [ -f "$ROOT/tests/run/$name.dsl" ] || continue
    cp "$ROOT/tests/run/$name.dsl" a.dsl
    "$DSLC" interp --stage=ir a.dsl >want 2>&1 || { cat want; exit 1; }
    for f in 2 3 5; do
        same --coarsen-thread=x:$f
        same --coarsen-block=x:$f,y:$f
        same --coarsen-thread=y:$f --coarsen-block=x:2
    done
done
expect 2 "--coarsen-thread does not take 'x2'" "$DSLC" run --coarsen-thread=x2 a.dsl
expect 2 "it takes [KERNEL=]x:N,y:N" "$DSLC" run --coarsen-block=k=x:0 a.dsl
expect 2 "does not take 'x:17'" "$DSLC" run --coarsen-block=x:17 a.dsl
