# A matrix product whose library cannot be loaded stops in its place; what needs no library runs without it.
. "$ROOT/tests/script/lib.inc"
mkdir broken && echo "no library" >broken/libopenblas.so.0
printf 'let a = ones(f64, 2, 2)\nprint(sum(a))\n' >sum.dsl
printf 'let a = [f64(i * j) for i in 0:40, j in 0:40]\nprint(sum(a @ a))\n' >product.dsl
for how in run interp; do
    expect 0 '12496536000.0' "$DSLC" $how product.dsl
    expect 0 '4' env LD_LIBRARY_PATH="$PWD/broken" "$DSLC" $how sum.dsl
    expect 1 'product.dsl:2:11: error[E0619]: OpenBLAS cannot be loaded: ' env LD_LIBRARY_PATH="$PWD/broken" "$DSLC" $how product.dsl
done
# Where the address space is too small for it, it is not waited for; threads that have no room beside others stay away.
case $DSLC in */san/*) exit 0 ;; esac
printf 'let a = ones(f64, 600, 600)\nprint(sum(a @ a))\n' >panels.dsl
"$DSLC" build product.dsl -o product && "$DSLC" build panels.dsl -o panels || exit 1
for kib in 60000 100000 150000; do
    expect 1 'product.dsl:2:11: error[E0619]: OpenBLAS cannot be loaded: it needs ' sh -c "ulimit -v $kib; OMP_NUM_THREADS=2 timeout 20 ./product"
done
expect 0 '216000000.0' sh -c "ulimit -v 350000; OMP_NUM_THREADS=7 timeout 20 ./panels"
