# dslc tune --target=cuda, with a driver that is none: what is asked, what is written, who obeys; and that each choice
# changes the code that opt/choices.def says, and no other.
. "$ROOT/tests/script/cuda.inc"
cat >a.dsl <<'D'
arg n: int = 20000
kernel scale(y: inout f64[m], by: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < m { y[i] *= by }
}
var y = [f64(i) for i in 0:n]
for t in 0:20 {
    launch scale[ceildiv(n, 64), 64](y, 0.5)
    y = y * 2.0 + 1.0
}
let near = [y[i] + y[i + 1] + y[i + 2] + y[i + 3] + y[i + 4] for i in 0:n - 4]
let plane = [f64(i * j % 7) for i in 0:n // 100, j in 0:100]
let down = [plane[i, j] + plane[i + 1, j] for i in 0:n // 100 - 1, j in 0:100]
print(sum(y), near, down)
D
rows() { sed -n "s/^CHOICE([A-Z_]*, \"\([a-z-]*\)\", $1, \"[^\"]*\", \"[^\"]*\", \"\([^\"]*\)\".*/--choose=\1=\2/p" "$ROOT/opt/choices.def"; }
code() { "$DSLC" --emit="$1" --cpu=sm_80 $2 a.dsl | grep -v '^//'; }
[ "$(rows FOR_CPU | wc -l)" -gt 20 ] && [ "$(rows FOR_GPU | wc -l)" -ge 2 ] || { echo "rows of choices.def"; rows FOR_CPU; exit 1; }
code ptx >usual.ptx
code ptx "$(rows FOR_CPU)" | cmp - usual.ptx || { echo "choices for the processor change kernels"; exit 1; }
for row in $(rows FOR_GPU); do
    code ptx "$row" | cmp -s - usual.ptx && { echo "$row changes no kernel"; exit 1; }
done
"$DSLC" --emit=c a.dsl >usual.c
"$DSLC" --emit=c $(rows FOR_GPU) a.dsl | cmp - usual.c || { echo "choices for a GPU change C"; exit 1; }
code ptx --choose=gpu-block=512 | grep -q 'maxntid 512' || { echo "no blocks of 512"; exit 1; }

fake_driver
export LD_LIBRARY_PATH="$PWD/fake" DSL_GPU_SHADOW=1 DSL_NUM_THREADS=1
want=$("$DSLC" run --no-tune a.dsl)
expect 0 "a.dsl.cuda.tune" "$DSLC" tune --target=cuda --budget=1 a.dsl
[ ! -f a.dsl.tune ] || { echo "it writes what is for the processor"; exit 1; }
grep -q '^machine Fake 0$' a.dsl.cuda.tune && grep -q '^source ' a.dsl.cuda.tune || { cat a.dsl.cuda.tune; exit 1; }
! grep -qE '^ +(cc|lane-rows|threads) ' shown || { echo "asked of a GPU:"; cat shown; exit 1; }

# who obeys: programs for a GPU alone; the processor's half of an executable is tuned by FILE.tune
source=$(grep '^source' a.dsl.cuda.tune)
printf '%s\nmachine Fake 0\ngpu-block 128\ncoarsen-thread scale=x:2\n' "$source" >a.dsl.cuda.tune
printf '%s\nschedule dynamic\n' "$source" >a.dsl.tune
FAKE_CUDA_LOG=log expect 0 "$want" "$DSLC" run --target=cuda a.dsl
! grep -q W0741 shown || { cat shown; exit 1; }
expect 0 "$want" "$DSLC" run --no-tune --target=cuda a.dsl
expect 0 "" "$DSLC" build --target=cuda --thread-cost=1 --keep-c a.dsl -o a.exe
grep -q 'schedule(dynamic)' a.c || { echo "the processor's half is not tuned"; exit 1; }
expect 0 "$want" ./a.exe
expect 0 "$want" env DSL_TARGET=cpu ./a.exe
expect 0 "$want" "$DSLC" run --target=sim a.dsl
printf 'machine Other\ngpu-block 128\n' >a.dsl.cuda.tune
expect 0 "W0741" "$DSLC" run --target=cuda a.dsl
expect 0 "$want" "$DSLC" run a.dsl
! grep -q 'cuda.tune' shown || { cat shown; exit 1; }

unset LD_LIBRARY_PATH
expect 2 "E0710" "$DSLC" tune --target=sim a.dsl
if no_driver; then
    expect 4 "E0714" "$DSLC" tune --target=cuda a.dsl
    # without a GPU an executable for one is built with what was found elsewhere
    expect 0 "" "$DSLC" build --target=cuda a.dsl -o a.exe
    ! grep -q W0741 shown || { cat shown; exit 1; }
fi
