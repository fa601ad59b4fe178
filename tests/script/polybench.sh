# The programs of PolyBench at small sizes, interpreted and compiled, beside serial C
. "$ROOT/tests/script/lib.inc"
expect 0 "" env DSLC="$DSLC" "$ROOT/tools/bench.sh" --check polybench/
