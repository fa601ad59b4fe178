# Several processes (docs/mpi.md): the bits of one, what is sent, files, failures.  All programs of the suite: make test-mpi.
. "$ROOT/tests/script/lib.inc"

if [ ! -f "$ROOT/build/libdslmpi.a" ]; then
    echo 'print(1)' >one.dsl
    expect 1 "this dslc has no MPI" "$DSLC" run --processes=2 one.dsl
    exit 0
fi
export DSL_NUM_THREADS=1
# So that small programs are parted, and rows that are not sent are seen
by() { # processes, arguments of dslc run
    n=$1
    shift
    env DSL_MPI_LEAST=0 DSL_MPI_POISON=1 "$DSLC" run --no-tune --processes="$n" "$@"
}
same() { # a program: what it prints, on 1 to 5 processes
    "$DSLC" interp "$1" >want || exit 1
    for n in 1 2 3 4 5; do
        by $n "$1" >got 2>&1 && cmp -s want got || { echo "$1 by $n processes:"; diff want got; exit 1; }
    done
}
sends() { # a program, its line, messages, bytes: by three processes
    by 3 --explain-messages "$1" >/dev/null 2>sent
    grep -q "^$1:$2:[0-9]*: $3 messages, $4 bytes" sent || { echo "$1:$2 should send $3 messages, $4 bytes:"; cat sent; exit 1; }
}
quiet() { # a program, its line: sends nothing
    by 3 --explain-messages "$1" >/dev/null 2>sent
    ! grep "^$1:$2:" sent || { echo "$1:$2 should send nothing"; exit 1; }
}

# Shifts by 1, 2 and 3, in one loop or in several: one message per side, of three rows
cat >shifts.dsl <<'D'
let n = 3000
let x = [sin(0.01 * i) for i in 0:n]
var y = zeros(f64, n)
var a = zeros(f64, n)
var b = zeros(f64, n)
var c = zeros(f64, n)
parallel for i in 3:n - 3 { y[i] = x[i + 1] + x[i + 2] + x[i + 3] - x[i - 1] - x[i - 2] - x[i - 3] }
let z = [x[i] * i for i in 0:n]
parallel for i in 0:n - 1 { a[i] = z[i + 1] }
parallel for i in 0:n - 2 { b[i] = z[i + 2] }
parallel for i in 0:n - 3 { c[i] = z[i + 3] }
print(y[1000], a[1000], b[1001], c[1000], a[2998], c[2996])
D
same shifts.dsl
sends shifts.dsl 7 4 96
sends shifts.dsl 9 2 48
quiet shifts.dsl 10
quiet shifts.dsl 11

# Rows go around; what is there is not sent again; an update in place
cat >around.dsl <<'D'
let (n, m) = (60, 7)
var u = [sin(0.1 * i) * cos(0.2 * j) for i in 0:n, j in 0:m]
for t in 0:10 {
    u = [0.25 * (u[(i + 1) % n, j] + u[(i - 1) % n, j] + u[i, (j + 1) % m] + u[i, (j - 1) % m]) for i in 0:n, j in 0:m]
}
let twice = [u[(i + 1) % n, 0] + u[(i - 1) % n, 0] for i in 0:n]
let again = [u[(i + 1) % n, 1] - u[(i - 1) % n, 1] for i in 0:n]
u[1:n - 1, :] *= 2.0
print(sum(u), sum(twice), sum(again), u[0, 0], u[59, 6], max(roll(twice, 3) + roll(again, -2)[0]))
D
same around.dsl
sends around.dsl 4 60 3360
quiet around.dsl 7

# Launches with shared memory, walls, ints, products, columns, a transpose, data as indices, derivatives
cat >mixed.dsl <<'D'
kernel blur(y: out f64[n], x: f64[n]) {
    shared s: f64[34]
    let i = block.x * blockdim.x + thread.x
    if i < n { s[thread.x + 1] = x[i] }
    if thread.x == 0 and i > 0 { s[0] = x[i - 1] }
    if thread.x == 31 and i + 1 < n { s[33] = x[i + 1] }
    barrier
    if i > 0 and i + 1 < n { y[i] = s[thread.x] + s[thread.x + 1] + s[thread.x + 2] }
}
let n = 1000
let x = [f64(i * i % 101) for i in 0:n]
var y = x
launch blur[ceildiv(n, 32), 32](y, x)
print(sum(y), max(y), argmax(y), cumsum(y)[n - 1], sum(sort(y)[0:10]))
let a = [sin(f64(i + 3 * j)) for i in 0:600, j in 0:40]
let b = [cos(f64(i * j)) for i in 0:40, j in 0:30]
let p = a @ b
print(sum(p), sum(p.T @ a), sum(p, axis=0)[3], sum(a, axis=1)[599], p.T[2, 599])
var w = p
parallel for j in 0:30 { w[0, j] = w[1, j] }
parallel for j in 0:30 { w[599, j] = 2 * w[598, j] }
print(w[0, 7] - w[1, 7], w[599, 7] / w[598, 7], sum(w))
let at = [(7 * i) % 600 for i in 0:600]
print(sum(w[at[i], 3] * i for i in 0:600), sum([w[at[i], 2] for i in 0:600]))
var count = zeros(int, 11)
parallel for i in 0:n { atomic count[int(x[i]) % 11] += 1 }
print(count)
fn energy(u: f64[n]) -> f64 = sum([(u[(i + 1) % n] - u[i])^2 for i in 0:n]) + sum(u^4)
let g = grad(energy)(x / 50)
print(sum(g), g[0], g[n - 1], median(g))
fn fib(k: int) -> int = if k < 2 { k } else { fib(k - 1) + fib(k - 2) }
var s = zeros(f64, n)
for i in 1:n { s[i] = 0.5 * s[i - 1] + x[i] }
print(fib(12), s[n - 1], ["rows", "of", "text"])
D
same mixed.dsl

# What derivatives keep of turns is parted as the arrays are: halos are sent, and no states
cat >kept.dsl <<'D'
fn step(u: f64[m, n], k: f64) -> f64[m, n] = [u[j, i] + k * (u[(j + 1) % m, i] + u[(j - 1) % m, i] + u[j, (i + 1) % n] - 3 * u[j, i]) for j in 0:m, i in 0:n]
fn cost(u0: f64[m, n], k: f64) -> f64 {
    var u = u0
    for t in 0:6 { u = step(u, k) }
    return sum(u^2)
}
let g = grad(cost, wrt=(u0, k))([sin(0.1 * i * j) for j in 0:300, i in 0:250], 0.2)
print(g.1, sum(g.0))
D
same kept.dsl
by 3 --explain-messages kept.dsl 2>sent >/dev/null
total=$(sed -n 's/^3 processes: .* messages, \([0-9]*\) bytes/\1/p' sent)
[ "$total" -lt 400000 ] || { echo "the derivative of kept.dsl sends $total bytes:"; cat sent; exit 1; }

# Walls stay where their rows are, two of them, too; a tile in shared memory with its halo needs its neighbours' rows
cat >walls.dsl <<'D'
kernel tile(o: out f64[n, m], u: f64[n, m]) {
    shared s: f64[10, 10]
    let i = block.y * 8 + thread.y - 1
    let j = block.x * 8 + thread.x - 1
    if i >= 0 and i < n and j >= 0 and j < m { s[thread.y, thread.x] = u[i, j] } else { s[thread.y, thread.x] = 0.0 }
    barrier
    if thread.x > 0 and thread.x < 9 and thread.y > 0 and thread.y < 9 and i < n and j < m {
        o[i, j] = 0.25 * (s[thread.y - 1, thread.x] + s[thread.y + 1, thread.x] + s[thread.y, thread.x - 1] + s[thread.y, thread.x + 1])
    }
}
let (n, m) = (90, 30)
var u = [f64((i * 7 + j * 3) % 11) for i in 0:n, j in 0:m]
for t in 0:10 {
    var o = u
    launch tile[(ceildiv(m, 8), ceildiv(n, 8)), (10, 10)](o, u)
    u = o
    parallel for j in 0:m { u[0, j] = u[1, j] }
    parallel for j in 0:m { u[n - 1, j] = u[n - 2, j] }
}
print(sum(u), u[45, 3])
D
same walls.dsl
quiet walls.dsl 18
quiet walls.dsl 19
by 3 --explain-messages walls.dsl 2>sent >/dev/null
[ "$(awk '/^walls.dsl:15/ { split($0, w, ", "); print w[2] + 0 }' sent)" -lt 20000 ] || { echo "tiles send:"; cat sent; exit 1; }

# Many rows: reductions and scans of chunks at home send their sums alone
cat >long.dsl <<'D'
let n = 3000000
let x = [f64(i % 7) - 2.5 for i in 0:n]
let total = sum(x)
let c = cumsum(x)
print(total, c[n - 1], max(x))
D
same long.dsl
by 3 --explain-messages long.dsl 2>sent >/dev/null
[ "$(awk '/^long.dsl:3/ { split($0, w, ", "); print w[2] + 0 }' sent)" -lt 200000 ] || { echo "a sum sends:"; cat sent; exit 1; }

# Columns: each process gets those that it reads, of a transpose, of accesses a[j, i], of a product's left side; of long
# sums along columns chunks of rows at home, and sums of vectors whose size is known when the program runs, their sums alone
cat >turned.dsl <<'D'
arg n: int = 300
let m = 200
let a = [sin(0.1 * i + 0.3 * j) for i in 0:n, j in 0:m]
print(a[0, 0])
let t = a.T
print(sum(t[0:3, 0:2]))
let v = [a[j, i] * a[j, (i + 1) % m] - a[n - 1 - j, m - 1 - i] for i in 0:m, j in 0:n]
print(sum(v[0:3, 0:2]))
print(sum(a, axis=0)[0:3], max(a, axis=0)[0:3])
var y = zeros(f64, m)
parallel for i in 0:m { for j in 0:n { y[i] += a[j, i] * j } }
print(y[0:3])
let b = [sin(0.2 * i) + j for i in 0:n, j in 0:3]
print((a.T @ b)[0, 0:3])
var q = [a[i, j] * k for i in 0:n, j in 0:m, k in 0:2]
let r = [q[j, i, 1] - q[j, i, 0] for i in 0:m, j in 0:n]
q[0:2, :, :] = 0.0
print(sum(r[0:3, 0:2]), sum([q[j, i, 1] for j in 0:n, i in 0:m]))
D
same turned.dsl
by 3 --explain-messages turned.dsl >/dev/null 2>sent
bytes() { awk -F'[:, ]' -v at="$1:$2" '$1 ":" $2 == at { for (i = 3; i < NF; i++) if ($(i + 1) == "bytes") n += $i } END { print n + 0 }' sent; }
few() { # a program, its line, bytes: sends no more than these
    [ "$(bytes "$1" "$2")" -le "$3" ] || { echo "$1:$2 sends $(bytes "$1" "$2") bytes, more than $3:"; cat sent; exit 1; }
}
few turned.dsl 5 330000 # two thirds of an array of 480,000
few turned.dsl 7 10000
few turned.dsl 9 10000
few turned.dsl 11 10000
for n in 8200 20000; do
    cat >tall.dsl <<D
let m = 20
arg n: int = $n
let k = $n
let a = [sin(0.1 * i + 0.3 * j) for i in 0:n, j in 0:m]
let b = [sin(0.1 * i + 0.2 * j) for i in 0:k, j in 0:m]
let x = [cos(0.01 * i) for i in 0:n]
print(a[0, 0], b[0, 0], x[0])
print(sum(a, axis=0))
print(max(b, axis=0), min(b[:, 3]))
print(std(a, axis=0))
print(a.T @ x)
print(sum(x), dot(x, x), argmax(x))
print([sum([a[j, i] > 0.3 for j in 0:n]) for i in 0:m])
print(sum([a[j, i] for j in 0:n, i in 0:m]))
D
    same tall.dsl
done
by 3 --explain-messages tall.dsl >/dev/null 2>sent
for line in 8 9 11; do few tall.dsl $line 400000; done # of 3,200,000: what lies in chunks across borders, and sums
few tall.dsl 12 30000

# Files are written once, and read by all behind that; arguments
cat >files.dsl <<'D'
arg n: int = 50
let x = [f64(i) for i in 0:n]
save("x.npy", 2 * x)
let y: f64[m] = load("x.npy")
print(m, sum(y))
D
rm -f x.npy
by 3 --explain-messages files.dsl 2>sent >/dev/null && grep -q '^files.dsl:3:[0-9]*: 2 messages' sent || { echo "save sends:"; cat sent; exit 1; }
[ "$(by 3 files.dsl -- --n=60)" = "60 3540.0" ] && [ -s x.npy ] || { echo "files:"; by 3 files.dsl; exit 1; }

# A failure is told once, whoever fails, and ends all
printf 'let x = [f64(i) for i in 0:900]\nassert sum(x) < 0, "too much"\n' >all.dsl
printf 'let x = [f64(i) for i in 0:900]\nlet k = [if i == 700 { 1000 } else { i } for i in 0:900]\nprint(sum([x[k[i]] for i in 0:900]))\n' >some.dsl
for f in all some; do
    by 3 $f.dsl >out 2>told && exit 1
    [ "$(grep -c 'error\[' told)" = 1 ] || { echo "$f.dsl tells:"; cat told; exit 1; }
done
expect 1 "index 1000 is out of bounds for axis 0 with size 900" by 3 some.dsl

# What fails in one process is told before others go on to print, or to fail
cat >first.dsl <<'D'
let at = [if i == 17 { 99 } else { i } for i in 0:30]
let x = [i * i for i in 0:30]
print("start")
let z = [x[at[i]] for i in 0:30]
print("after")
assert len(at) == 3, "another message"
print(z)
D
for n in 2 3 5; do
    by $n first.dsl >out 2>told && exit 1
    [ "$(cat out)" = start ] && grep -q 'first.dsl:4:10: error.E0601' told || { echo "first.dsl by $n:"; cat out told; exit 1; }
done
printf 'arg n: int\nprint(n)\n' >word.dsl
expect 0 "how many threads" by 3 word.dsl -- --help
by 3 word.dsl -- --nn=4 2>told && exit 1
[ "$(grep -c 'there is no argument' told)" = 1 ] || { cat told; exit 1; }

# By hand; alone; what cannot be
"$DSLC" build --target=mpi shifts.dsl -o shifts && ./shifts >got && cmp want got >/dev/null || "$DSLC" interp shifts.dsl | cmp - got || exit 1
expect 2 "target=mpi is not possible here" "$DSLC" run --target=mpi --jit shifts.dsl
expect 2 "target=mpi is not possible here" "$DSLC" test --target=mpi shifts.dsl
expect 2 "'--processes' is one argument too many for 'dslc build'" "$DSLC" build --processes=2 shifts.dsl
expect 2 "'--processes' is one argument too many for 'dslc --target=sim'" "$DSLC" run --target=sim --processes=2 shifts.dsl
expect 1 "hint: it starts the processes of MPI" env DSL_MPIRUN=nonesuch "$DSLC" run --processes=2 shifts.dsl

# Ensembles: turns are parted, nothing travels in them, and what goes before is what they read
cat >turns.dsl <<'D'
fn simulate(a: f64, u: f64[n]) -> f64[n] {
    var v = u
    for t in 0:5 { v = [v[i] + a * v[(i + 1) % n] for i in 0:n] }
    return v
}
var u = zeros(f64, 300)
parallel for i in 0:300 { u[i] = sin(f64(i)) }
var m = zeros(f64, 30, 300)
for k in 0:30 { m[k, :] = simulate(0.1 * k, u) }
for k in 0:30 { m[k, :] += simulate(0.2 * k, m[k, :]) }
print(sum(m))
D
same turns.dsl
sends turns.dsl 9 6 4800
quiet turns.dsl 10
quiet turns.dsl 3
same "$ROOT/tests/run/ensembles_apart.dsl"

# A loop in order over elements: the array is sent before it, once to each of the others
cat >elements.dsl <<'D'
let y = [sin(0.01 * i) for i in 0:30000]
var m = 0.0
for t in 1:30000 { m += 0.1 * (y[t] - m) * y[t - 1] }
print(m)
D
same elements.dsl
sends elements.dsl 3 6 480000

# Rows that end in the middle of one of another shape: columns of it are there in part
cat >shaped.dsl <<'D'
fn pairs(b: f64[n, 4]) -> f64[n, 4] {
    var v = b
    for i in 1:n {
        let t = v[i, 0:2] * v[i - 1, 2:4]
        v[i, 2:4] = t / (1 + v[i - 1, 0:2]^2)
    }
    return v
}
print(sum(pairs(reshape(rand(4, 20), 5, 4))))
print(grad(fn(p) => sum(pairs(reshape(p, 5, 4))))(rand(4, 20)))
D
same shaped.dsl
