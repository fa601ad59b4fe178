# Single elements that the host reads and writes beside launches, with a driver that is none (tests/gpu/fake_cuda.c):
# they are copied, their arrays stay where they are.  Many of them come home, once.
. "$ROOT/tests/script/cuda.inc"
fake_driver
check() { # how often the driver copied how many bytes; the program, in the language or as IR, is on stdin
    cat >t.dsl
    ! grep -q '^module' t.dsl || mv t.dsl t.ir
    rm -f log
    file=$(ls t.dsl t.ir 2>/dev/null)
    expect 0 "$("$DSLC" interp $file)" env LD_LIBRARY_PATH="$PWD/fake" DSL_GPU_SHADOW=1 DSL_NUM_THREADS=1 FAKE_CUDA_LOG=log \
        "$DSLC" run --no-tune --target=cuda $file
    copies=$(grep '^to\|^back' log | sort | uniq -c | awk '{ printf("%s%s x %s %s", (NR > 1 ? ", " : ""), $1, $2, $3) }')
    [ "$copies" = "$1" ] || { echo "copies: $copies; not $1"; cat $file; exit 1; }
}
grow='kernel grow(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = x[i] + 0.5 * x[n - 1 - i] }
}'

# An element of one array is written between launches, one of another is read: 12 times; s[3], and x where it was.
check '15 x back 8, 12 x to 8' <<D
$grow
var x = [f64(i) for i in 0:1000]
var y = zeros(f64, 1000)
for r in 0:12 {
    x[r] = 0.5 * y[r + 1]
    launch grow[16, 64](y, x)
}
let s = x + y
print(s[3], x[0])
D

# A load that stands in front of a launch, because no thread changes it; branches; bools and halves
check '1 x back 1, 1 x back 2, 2 x back 8, 1 x to 1, 1 x to 2' <<'D'
kernel move(y: out f64[n], x: f16[n], on: bool[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = if on[i] { f64(x[i]) } else { f64(x[0]) } }
}
arg k: int = 7
var x = [f16(i) for i in 0:1000]
var on = [i % 2 == 0 for i in 0:1000]
on[k] = true
if k > 5 { x[k] = 0.5 }
var y = zeros(f64, 1000)
if on[3] { x[0] = 5.0 }
launch move[16, 64](y, x, on)
print(y[k], y[8])
D

# Many elements one after the other: eight reads and writes, then the array is at home
check '10 x back 8, 1 x back 8000, 8 x to 8, 1 x to 8000' <<D
$grow
var x = [f64(i) for i in 0:1000]
var y = zeros(f64, 1000)
for r in 0:500 {
    x[r] = x[(r * 7) % 1000] + 1.0
    if r == 400 { print(r) }
}
launch grow[16, 64](y, x)
print(y[3], y[999])
D
# Arrays that two have, empty ones
check '2 x back 8, 1 x to 8' <<D
$grow
var x = [f64(i) for i in 0:1000]
let before = x
x[5] = 100.0
var y = zeros(f64, 1000)
launch grow[16, 64](y, x - before)
print(y[5], before[5], x[5])
var none = zeros(f64, 0)
launch grow[1, 64](none, none)
print(none)
D

# One island: a launch, a loop of the host through y alone.  So y comes and goes, x and z do not.
check '2 x back 8, 1 x back 800, 1 x to 8, 1 x to 800' <<'D'
module stage=loops

main @main() {
  %n = const {value = 100} : i64
  %0 = const {value = 0} : i64
  %1 = const {value = 1} : i64
  %9 = const {value = 9} : i64
  %half = const {value = 0.5} : f64
  %x = empty : f64[100]
  %y = empty : f64[100]
  %z = empty : f64[100]
  %r, %s, %t = island(%x, %y, %z) {modes = [1, 1, 1]} : f64[100], f64[100], f64[100] {
    (%a: buf<f64[100]>, %b: buf<f64[100]>, %c: buf<f64[100]>)
    parallel(%1) {kind = block} {
      (%block: i64)
      parallel(%n) {kind = thread} {
        (%i: i64)
        %v = cast(%i) : f64
        store(%v, %a, %i) {safe}
        store(%v, %b, %i) {safe}
        store(%half, %c, %i) {safe}
        yield
      }
      yield
    }
    %first = load(%a, %9) {safe} : f64
    %sum = for(%0, %n, %1, %first) : f64 {
      (%k: i64, %so: f64)
      %u = load(%b, %k) {safe} : f64
      %w = add(%so, %u) : f64
      yield(%w)
    }
    store(%sum, %c, %9) {safe}
    yield
  }
  %p = extract(%t, %9) {safe} : f64
  %q = extract(%s, %9) {safe} : f64
  print(%p, %q)
  release(%r)
  release(%s)
  release(%t)
  return()
}
D

rm t.ir
# An index that is none is told before anything is copied.
cat >t.dsl <<'D'
arg k: int = 1000
var x = [f64(i) for i in 0:1000]
x[k] = 1.0
print(sum(x))
D
expect 1 "index 1000 is out of bounds for axis 0 with size 1000" env LD_LIBRARY_PATH="$PWD/fake" DSL_GPU_SHADOW=1 \
    "$DSLC" run --no-tune --target=cuda t.dsl
