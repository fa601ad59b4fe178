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
