# A slice, or another array, that would have less than no elements stops the program at its place, whatever becomes of it: compiled at
# all levels as in the interpreter.  One program has all the cases; which of them runs is known when it runs.
. "$ROOT/tests/script/lib.inc"
cat >slices.dsl <<'END'
kernel sums(y: out f64[n], x: f64[n], a: int, b: int) {
    let i = thread.x
    if i < n { y[i] = sum(x[a:b]) }
}
kernel tails(y: out f64[n], m: f64[n, n], far: int) {
    let i = thread.x
    if i < n { y[i] = sum(m[i, i + 1:]) + sum(m[i, i + far:n]) }
}
kernel fill(m: inout f64[n, n], far: int) {
    let i = thread.x
    if i < n { m[i, i + far:n] = 7 }
}
kernel made(y: out f64[n], k: int) {
    let i = thread.x
    if i < n { y[i] = sum([f64(j) for j in 0:k]) }
}
fn inner(x: f64[n]) -> f64 = sum(x[2:n - 1])
fn second(x: f64[n]) -> f64[n - 2] = [x[i + 2] - x[i] for i in 0:n - 2]

fn some(case: int, n: int, a: int, b: int, far: int) -> f64 {
    let x = [f64(i) for i in 0:n]
    let m = [f64(10 * i + j) for i in 0:n, j in 0:n]
    var y = x
    var w = m
    var s = 0.0
    if case == 0 { y[a:b] = 5 }
    if case == 1 { y[a:b] *= 2 }
    if case == 2 { y[a:b] = x[a:b] }
    if case == 3 { s = sum(x[a:b]) }
    if case == 4 { s = sum(2 * x[a:b]) }
    if case == 5 { s = sum(v * v for v in x[a:b]) }
    if case == 6 { s = sum(sum(row) for row in m[a:b]) }
    if case == 7 { s = sum(m[:, a:b]) }
    if case == 8 { w[a:b, 1] = 3 }
    if case == 9 { w[1, a:b] += 3 }
    if case == 10 { s = sum(x[-b - 1:-a - 1]) }
    if case == 11 { s = sum(x[a:b:2]) }
    if case == 12 { s = sum(x[b:a:-1]) }
    if case == 13 { s = sum(x[n + far - 1:]) }
    if case == 14 { s = sum(x[:-(n + far - 1)]) }
    if case == 15 { y[:b - a] = 1 }
    if case == 16 { s = sum([f64(i) for i in a:b]) }
    if case == 17 { s = sum(zeros(f64, b - a)) }
    if case == 18 { for v in x[a:b] { s += v } }
    if case == 19 { for k in 0:n { s += sum(m[k, k + far:n]) } }
    if case == 20 { for k in 0:n { w[k, k + far:] += 1 } }
    if case == 21 { s = max([sum(x[i * far:i + 2]) for i in 0:n - 1]) }
    if case == 22 { parallel for i in 0:n { y[i] = sum(m[i, i + far:n]) } }
    if case == 23 { launch sums[1, 32](y, x, a, b) }
    if case == 24 { launch tails[1, 32](y, m, far) }
    if case == 25 { launch fill[1, 32](w, far) }
    if case == 26 { launch made[1, 32](y, b - a) }
    if case == 27 { s = inner(x[0:4 - far]) }
    if case == 28 { s = sum(second(x[0:4 - 2 * far])) }
    if case == 29 { s = f64(len(x[a:b])) }
    if case == 30 { s = x[a:b] @ x[a:b] }
    if case == 31 { s = max(m[a:b].T) }
    if case == 32 { let _unused = x[a:b] }
    if case == 33 { s = sum(reshape(x[0:0], 0, b - a)) }
    return s + sum(y) + sum(w)
}

let which: int[1] = load("case.npy")
let wrong: bool[1] = load("wrong.npy")
print(which[0])
if wrong[0] { print(some(which[0], 6, 4, 2, 2)) } else { print(some(which[0], 6, 4, 4, 1)) }
END
cases=34
echo "for k in 0:$cases { save(f\"case{k}.npy\", [k]) }
save(\"wrong0.npy\", [false])
save(\"wrong1.npy\", [true])" >cases.dsl
"$DSLC" run cases.dsl || exit 1
for level in 0 1 2 3; do
    "$DSLC" build -Wno-unused -O$level slices.dsl -o level$level || exit 1
done
case=0
while [ $case -lt $cases ]; do
    cp case$case.npy case.npy
    for wrong in 0 1; do
        cp wrong$wrong.npy wrong.npy
        "$DSLC" interp slices.dsl >want 2>&1
        echo "exit $?" >>want
        if [ $wrong = 0 ]; then grep -q '^exit 0$' want; else grep -q 'error\[E0607\]' want; fi ||
            { echo "case $case, wrong $wrong:"; cat want; exit 1; }
        for level in 0 1 2 3; do
            DSL_NUM_THREADS=2 ./level$level >out 2>&1
            echo "exit $?" >>out
            cmp -s want out || { echo "case $case at -O$level:"; diff want out; exit 1; }
        done
    done
    case=$((case + 1))
done
