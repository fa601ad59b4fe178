# Absurd sizes and depths end with a message and status 1.
. "$ROOT/tests/script/lib.inc"
try() { # code, program
    printf '%s\n' "$2" >t.dsl
    expect 1 "$1" "$DSLC" run t.dsl
    expect 1 "$1" "$DSLC" interp t.dsl
    grep -q 't.dsl:[0-9]*:[0-9]*: error' shown || { echo "no place:"; cat shown; exit 1; }
}
try E0330 'let x = zeros(f64, 10^15)
print(sum(x))'
try E0603 'fn f(n: int) -> f64 { var x = zeros(f64, n, n, n)
x[1, 2, 3] = 1.0
return x[0,0,0] }
print(f(10000000))'
# An array of which only the size is asked: the same words from all, although nobody makes it
same_words() { # program
    printf '%s\n' "$1" >t.dsl
    expect 1 E0603 "$DSLC" interp t.dsl
    cp shown first
    for level in -O0 -O1 -O3; do
        expect 1 E0603 "$DSLC" run $level t.dsl
        cmp -s first shown || { echo "$level: other words"; diff first shown; exit 1; }
    done
}
same_words 'fn big(n: int) -> int { let a = zeros(f64, n, n, n)
return size(a) }
print(big(4000000000))'
try E0603 'fn big(x: u8[n, m]) -> int = len(flatten(x))
fn go(n: int) -> int = big(zeros(u8, n, n))
print(go(2^35))'
same_words 'struct P { a: f32, b: int }
fn big(n: int) -> int { let a = zeros(P, n, 5, n)
return size(a) // 2 }
print(big(4000000000))'
# One axis that int64 does not hold
for call in 'sum(zeros(u8, n * n))' 'le(zeros(u8, n * n))' 'len(zeros(u8, n * n))' 'sum([1 for i in 0:n * n * n])' 'le(kr([1], n))'; do
    same_words "fn le(x: T[p]) -> int = p
fn kr(x: int[p], k: int) -> int[p * k * k] = [x[i % p] for i in 0:p * k * k]
fn big(n: int) -> int = int($call)
print(big(4000000000))"
done
# A text that grows beyond what there is, made and printed
printf '%s\n' 'fn twice(s: str) -> str = f"{s}{s}"
var s = "0123456789"
for k in 0:40 { s = twice(s) }
print(s)' >text.dsl
printf '%s\n' 'var s = "0123456789"
for k in 0:24 { s = f"{s}{s}" }
print(s, s, s, s, s, s, s, s)' >print.dsl
for how in "run -O0" "run -O3"; do
    case $DSLC in */san/*) break ;; esac # which needs more than any limit leaves
    ( ulimit -v 1500000; expect 1 'text.dsl:1:27: error[E0603]: not enough memory for a text' "$DSLC" $how text.dsl )
    grep -q "text.dsl:3:21: note: 'twice' was called here" shown || { cat shown; exit 1; }
    ( ulimit -v 1500000; expect 1 'print.dsl:3:1: error[E0603]: not enough memory to print' "$DSLC" $how print.dsl )
done
try E0604 'fn f(n: int) -> int { return 1 + f(n + 1) }
print(f(0))'
try E0602 'fn f(a: int, b: int) -> int = a // b
print(f(1, 0))'
try E0602 'fn f(a: int, b: int) -> int = a % b
print(f(1, 0))'
try E0601 'fn f(x: f64[n], i: int) -> f64 = x[i]
print(f([1.0, 2.0], 2))'
try E0601 'fn f(x: f64[n], i: int) -> f64 = x[i]
print(f([1.0, 2.0], -1))'
try E0606 'fn f(x: f64[n], y: f64[m]) -> f64[n] = x + y
print(f([1.0, 2.0], [1.0, 2.0, 3.0]))'
kernel='kernel k(x: out f64[n]) { let i = block.x * blockdim.x + thread.x
if i < n { x[i] = 1.0 } }
fn go(g: int, b: int) -> f64 { var x = zeros(f64, 10)
launch k[g, b](x)
return sum(x) }'
try E06 "$kernel
print(go(0, 10))"
try E06 "$kernel
print(go(1, 0))"
try E06 "$kernel
print(go(1, 2000))"
try E06 "$kernel
print(go(-1, 1))"
# Nesting that would break a careless parser or printer
awk 'BEGIN { printf "print("; for (i = 0; i < 20000; i++) printf "("; print "" }' >t.dsl
expect 1 "E01" "$DSLC" check t.dsl
awk 'BEGIN { printf "print("; for (i = 0; i < 3000; i++) printf "-"; print "1)" }' >t.dsl
"$DSLC" check t.dsl >shown 2>&1; [ $? -le 1 ] || { cat shown; exit 1; }
awk 'BEGIN { printf "print(0"; for (i = 0; i < 20000; i++) printf "+1"; print ")" }' >t.dsl
"$DSLC" run t.dsl >shown 2>&1; [ $? -le 1 ] || { cat shown; exit 1; }
head -c 4000 /dev/urandom >t.dsl
"$DSLC" check t.dsl >shown 2>&1; [ $? -eq 1 ] || { cat shown; exit 1; }
printf 'print(1)\000print(2)\n' >t.dsl
expect 1 "E01" "$DSLC" check t.dsl

# Arrays that cannot be, in a branch that is not taken, are no error of the C compiler.
cat >absurd.dsl <<'EOF'
fn bars(n: int, b: int) -> f64[n, b] {
    var a = zeros(f64, n, b)
    for i in 0:n { a[i, i % b] = 1 }
    return a
}
fn deep(n: int, b: int) -> f64[n, b, b] {
    var a = zeros(f64, n, b, b)
    for i in 0:n { a[i, i % b, 0] = 1 }
    return a
}
fn three(b: int) -> f64[b, b, b] = [f64(i + j + k) for i in 0:b, j in 0:b, k in 0:b]
let x = cumsum([1.0 for i in 0:5])
if x[4] == 5.0 { print("ok") } else { print(sum(bars(3, -2)), sum(bars(1, 1 << 46)), sum(deep(1, 1 << 40)), sum(deep(1, -1)), sum(three(1 << 44)), sum(three(-5))) }
print(x[4])
EOF
for level in 0 1 2 3; do expect 0 "ok" "$DSLC" run -O$level absurd.dsl; done

# A small stack: recursion that does not fit is told; what fits runs.
printf 'fn deep(n: int) -> int {\n    if n == 0 { return 0 }\n    return 1 + deep(n - 1) %% 1000003\n}\nprint("depth", deep(9000))\n' >main.dsl
"$DSLC" build main.dsl -o main || exit 1
( ulimit -s 128; expect 1 'main.dsl:1:4: error[E0604]: ' ./main ) || exit 1
( ulimit -s 128; expect 1 'the stack of this thread ends' ./main ) || exit 1
( ulimit -s 8192; expect 0 'depth 9000' ./main ) || exit 1
( ulimit -s 256; expect 0 'depth 9000' "$DSLC" interp main.dsl ) || exit 1
