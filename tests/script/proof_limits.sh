# Kernels made to be hard: products of unknown strides, quotients, minima and maxima nested in one another, many accesses.
# The proofs give up on them soon; they never hang, and never say something untrue (the kernels are not launched here).
awk 'BEGIN {
    print "kernel hard(a: inout f64[n], p: int, q: int, r: int, s: int) {"
    print "    let i = block.x * blockdim.x + thread.x"
    print "    let j = block.y * blockdim.y + thread.y"
    for (k = 0; k < 60; k++) {
        printf "    let w%d = min(max(i * p // (q + %d), j * r), (i + %d * j) %% (s + %d)) * q + max(i * j, p * q * %d)\n", k, k + 1, k, k + 2, k
        printf "    if w%d >= 0 and w%d < n and (i * p + j * q) %% (r + %d) != s { a[w%d] = a[(w%d * i + r) %% n] + a[max(min(w%d * j, n - 1), 0)] }\n", k, k, k + 3, k, k, k
    }
    print "}"
    print "kernel long(a: inout f64[n]) {"
    print "    shared s: f64[1024]"
    print "    let t = thread.x"
    for (k = 0; k < 150; k++) printf "    s[(t * %d + %d) %% 1024] = s[(t + %d) %% 1024] + a[min(t, n - 1)]\n", 2 * k + 1, k, k
    print "    if t < n { a[t] = s[t] }"
    print "}"
    print "export fn go(x: f64[n], p: int, q: int, r: int, s: int) -> f64[n] {"
    print "    var a = x"
    print "    launch hard[(p, q), (r, s)](a, p, q, r, s)"
    print "    launch long[p, q](a)"
    print "    return a"
    print "}"
}' >hard.dsl
timeout 60 "$DSLC" check hard.dsl >out 2>&1
status=$?
[ $status -le 1 ] || { echo "exit status $status"; head -5 out; exit 1; }
grep -q 'W0503\|E0501\|W0502' out || { echo "no verdict"; exit 1; }
# Squares of indices: large questions with products are given up early
cat >square.dsl <<'END'
kernel square(y: inout f64[n], x: f64[n], p: int[n]) {
    let first = block.x * 2
    let i = first + thread.x
    if i < n { y[p[i]] = x[(i + 1) % n] }
}
var y = zeros(f64, 9)
launch square[ceildiv(9, 2), 2](y, y, [(i * i) % 9 for i in 0:9])
print(y)
END
( ulimit -t 10 && "$DSLC" check square.dsl >out 2>&1 )
grep -q 'W0503\|E0501' out || { echo "squares: no verdict"; cat out; exit 1; }
