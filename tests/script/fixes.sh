# Fixes that are sure: applied to each program of tests/error that has some, none of them is offered again at its place; JSON names
# ranges and texts, and `check --fix` writes them.
. "$ROOT/tests/script/lib.inc"
cp -r "$ROOT/tests/error/." .
fixed=0
for file in *.dsl; do
    [ -f "${file%.dsl}.err" ] || continue
    "$DSLC" check --json-diagnostics "$file" 2>before >/dev/null </dev/null
    grep -q '"sure":true' before || continue
    fixed=$((fixed + 1))
    cp "$file" "$file.was"
    for round in 1 2 3 4; do # a fix may uncover another mistake
        "$DSLC" check --fix "$file" >/dev/null 2>&1 </dev/null
    done
    ! cmp -s "$file" "$file.was" || { echo "$file: nothing was changed"; exit 1; }
    "$DSLC" check --json-diagnostics "$file" 2>after >/dev/null </dev/null
    grep '"sure":true' after && { echo "$file: the same is offered again"; exit 1; }
    mv "$file.was" "$file"
done
[ "$fixed" -ge 12 ] || { echo "only $fixed programs with fixes"; exit 1; }
printf 'fn f(n: int) -> int = n\nlet y = 3\nprint(f(y / 2))\nk = 4\n' >a.dsl
expect 1 '"start":44,"end":45,"replacement":"//","sure":true' "$DSLC" check --json-diagnostics a.dsl
expect 0 'a.dsl: 2 fixed' "$DSLC" check --fix a.dsl
[ "$(wc -l <shown)" = 1 ] || { echo "what was mended is reported:"; cat shown; exit 1; }
# All files are mended; what is left is reported
printf 'let x = 1\nif x = 1 { print(x) }\nprint(y)\n' >b.dsl
printf 'let x = 1\nx = 2\nprint(x)\n' >c.dsl
expect 1 'c.dsl: 1 fixed' "$DSLC" check --fix b.dsl c.dsl
grep -q 'b.dsl:3:7: error\[E0201\]' shown && ! grep -q 'E0114\|E0240' shown || { cat shown; exit 1; }
# The file keeps its mode, a link stays one
printf 'let x = 1\nif x = 1 { print(x) }\n' >private.dsl
chmod 600 private.dsl && ln -s private.dsl link.dsl
"$DSLC" check --fix link.dsl >/dev/null 2>&1 </dev/null || true
grep -q 'if x == 1' private.dsl && [ -L link.dsl ] && [ "$(stat -c %a private.dsl)" = 600 ] || { ls -l private.dsl link.dsl; exit 1; }
# What loses something, or has another meaning than what may have been meant, is no sure fix
cat >c.dsl <<'X'
fn go(dt: f64) -> int {
    var t = 0
    for k in 0:3 { t += dt }
    while t < 2 { t = t + dt }
    return t
}
fn f(n: int) -> int = n
const T = 1.0
let n = 7
var k = 7
k /= 2
print(f(T/0.1), f(2.5), go(0.5), k, random.uniform(0, 1), [i for i in n])
var x = [1.0, 2.0]
x[n/T] = 1
X
cp c.dsl c.was
"$DSLC" check --fix c.dsl >shown 2>&1 </dev/null && exit 1
cmp c.dsl c.was || { echo "a guess was applied"; exit 1; }
grep -q 'write var t = 0.0' shown && grep -q 'write int(T/0.1)' shown && ! grep -q '`//`' shown || { cat shown; exit 1; }
