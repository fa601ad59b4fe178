# Indices that wrap around: no check is left out because of what would hold if ints had no end, and no guard becomes the bound of a
# loop.  Each program (parted by lines of ----) stops with E0601 at one place, on the interpreter and compiled, or prints the same.
status=0
csplit -z -s -f case -b %02d.dsl - '/^----/' '{*}' <<'END'
# 0 a product with a scalar argument
kernel k(y: out int[n], s: int) {
    let i = thread.x
    if s > 0 and i * s < n { y[i * s] = i + 1 }
}
var y = zeros(int, 64)
launch k[1, 8](y, 2305843009313693952)
print(sum(y), y[0])
----
# 1 the same in a loop
fn go(s: int) -> int {
    var y = zeros(int, 64)
    for i in 0:8 { if s > 0 and i * s < 64 { y[i * s] = i + 1 } }
    return sum(y)
}
print(go(3))
print(go(2305843009313693952))
----
# 2 a quotient of what wrapped
kernel k(a: out int[n]) {
    let i = thread.x * 4611686018427387904
    a[i // 4611686018427387904] = thread.x
}
var a = zeros(int, 64)
launch k[1, 32](a)
print(sum(a))
----
# 3 a guard of a kernel
kernel shift(y: out int[n], x: int[n], k: int) {
    let i = block.x * blockdim.x + thread.x
    if k >= 0 and k + i + 1 < n { y[i] = x[k + i + 1] }
}
fn go(n: int, k: int) -> int {
    let x = [i for i in 0:n]
    var y = zeros(int, n)
    launch shift[2, 4](y, x, k)
    return sum(y)
}
print(go(64, 9223372036854775807))
----
# 4 a guard of a parallel loop
fn go(n: int, k: int) -> int {
    var y = zeros(int, n)
    if k >= 0 { parallel for i in 0:n { if i + k < n { y[i + k] = i } } }
    return sum(y)
}
print(go(64, 9223372036854775797))
----
# 5 an index that is data
kernel k(y: inout int[n], p: int[n]) {
    let i = thread.x
    if p[i] > 0 and p[i] + 5 < n { y[p[i] + 5] = i }
}
fn go(last: int) -> int {
    var y = zeros(int, 64)
    var p = [i for i in 0:64]
    p[63] = last
    launch k[1, 64](y, p)
    return sum(y)
}
print(go(9223372036854775805))
----
# 6 a difference, and a shift
fn go(k: int) -> int {
    var y = zeros(int, 64)
    for i in 0:8 { if i - k > 0 and i - k < 64 { y[i - k] = i } }
    for i in 0:8 { if k < 64 and i << 61 < 64 { y[(i << 61) + 1] = i } }
    return sum(y)
}
print(go(-9223372036854775807))
----
# 7 a while loop with a step that wraps
fn go(n: int, step: int) -> int {
    var y = zeros(int, n)
    var i = 5
    while i < n {
        y[i] = 1
        i = i + step
    }
    return sum(y)
}
print(go(64, 1), go(64, 9223372036854775807))
----
# 8 a loop with no turns, by bounds far apart
fn go(n: int, k: int) -> int {
    var y = zeros(int, n)
    parallel for i in 0:n { if i >= 5 and i < k { y[i] = i } }
    return sum(y)
}
print(go(64, -9223372036854775808), go(64, 7))
END
for f in case*.dsl; do
    sed -i '/^----/d' "$f"
    timeout 60 "$DSLC" interp --stage=ir -Wno-W0503 "$f" >want 2>&1
    echo "exit $?" >>want
    for how in "interp --stage=loops" "run --cc=gcc -O0" "run --cc=gcc" "run --cc=clang"; do
        DSL_NUM_THREADS=2 timeout 100 "$DSLC" $how -Wno-W0503 "$f" >out 2>&1
        echo "exit $?" >>out
        cmp -s want out || { echo "$(head -1 "$f"): $how"; diff want out; status=1; }
    done
    case $f in
    case08*) grep -q '^0 11$' want ;;
    *) grep -q 'error\[E0601\]' want ;;
    esac || { echo "$(head -1 "$f"): not what is expected"; cat want; status=1; }
done
exit $status
