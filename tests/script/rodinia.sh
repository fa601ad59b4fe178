# The Rodinia programs at small sizes: interpreted and compiled, beside serial C and C with OpenMP.
. "$ROOT/tests/script/lib.inc"
expect 0 "" env DSLC="$DSLC" "$ROOT/tools/bench.sh" --check rodinia/
