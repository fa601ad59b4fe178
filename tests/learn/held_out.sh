# What is learned from four programs makes a fifth faster that was not measured: bits one by one, for which clang is faster by far.
. "$ROOT/tests/script/lib.inc"
command -v gcc >/dev/null && command -v clang >/dev/null || { echo "skipped: there is one C compiler"; exit 0; }
export CC=gcc DSL_CC=
for name in ilog parity lowest mirrored; do cp "$ROOT/bench/learn/$name.dsl" .; done
cp "$ROOT/bench/learn/reversed_bits.dsl" .
expect 0 "4 programs" "$DSLC" tune --learn=bits.model --budget=1 --threads=1 ilog.dsl parity.dsl lowest.dsl mirrored.dsl
grep -q '^rule cc clang if ' bits.model || { echo "no rule:"; cat shown bits.model; exit 1; }
expect 0 "cc clang, since" "$DSLC" tune --model=bits.model --explain-choices --budget=1 --threads=1 reversed_bits.dsl
awk '/^  model / { found = 1; exit !($4 < 0.8 && $5 == "kept") } END { if (!found) exit 1 }' shown || { echo "not faster:"; cat shown; exit 1; }
grep -q '^cc clang' reversed_bits.dsl.tune || { echo "not kept:"; cat reversed_bits.dsl.tune; exit 1; }
