#!/bin/sh
# make test-xla: XLA runs every program of tests/run that can be said in StableHLO; what it returns is compared with what the
# interpreter prints, and the examples of docs/stablehlo.md with what is said there.  JAX comes from PyPI, into build/xla.
cd "$(dirname "$0")/../.." || exit 1
out=$PWD/build/xla
dslc=$PWD/build/dslc
python=$out/python/bin/python
mkdir -p "$out/programs"
[ -x "$python" ] || { python3 -m venv "$out/python" && "$out/python/bin/pip" install -q jax; } || {
    echo "without JAX, which comes from PyPI"; rm -rf "$out/python"; exit 0; }

# What differs, and why
known() {
    case $1 in
    elementary) echo "counts of last digits; long to compile" ;;
    erf) echo "asks for the last digit" ;;
    lanes_chains) echo "a chaotic map: XLA fuses products with sums" ;;
    grad_around | grad_strides | grad_strides_known | grad_windows) echo "digits in the texts that it prints" ;;
    grad_again) echo "exports functions, has no main" ;;
    esac
}

# Programs of one word (a part of the name), or all
rm -f "$out"/programs/*
cd tests/run || exit 1
pairs= unsaid=0
for file in *"${1:-}"*.dsl; do
    name=$out/programs/${file%.dsl}
    timeout 60 "$dslc" --emit=stablehlo "$file" -o "$name.mlir" 2>"$name.err"
    case $? in
    0) timeout 300 "$dslc" interp "$file" >"$name.txt" 2>/dev/null || continue
       pairs="$pairs $name.mlir $name.txt" ;;
    1) unsaid=$((unsaid + 1)) ;;
    *) echo "FAIL $file: $(head -1 "$name.err")" ;;
    esac
done >"$out/failed"
cd ../.. || exit 1
# shellcheck disable=SC2086
"$python" tests/stablehlo/xla.py $pairs 2>"$out/log" | while read -r module what; do
    name=$(basename "$module" .mlir)
    why=$(known "$name")
    case $what in
    ok) echo "ok $name" ;;
    *) [ "$why" ] && echo "known $name: $why" || echo "FAIL $name: $what" ;;
    esac
done >"$out/results"
grep -v '^ok ' "$out/results"
cat "$out/failed"

# The document
steps() {
    rm -rf "$out/document" && mkdir "$out/document" && cd "$out/document" || return 1
    awk '/^```[a-z0-9]+ .*[.]/ { file = $2; next } /^```/ { file = "" } file { print >file }' "$1/docs/stablehlo.md"
    "$dslc" --emit=stablehlo --size=n=300 --size=m=200 --size=steps=10 plate.dsl -o plate.mlir &&
        "$dslc" --emit=stablehlo --size=n=300 --size=m=200 --size=steps=10 --function=pulled:s pulled.dsl -o pulled.mlir &&
        "$python" plate_many.py >got 2>"$out/log" && "$python" plate_pulled.py >>got 2>>"$out/log" &&
        "$python" "$1/tests/stablehlo/batches.py" >>got 2>>"$out/log" && printf 'True\nTrue False\nTrue\nTrue\n' | diff - got
}
if (steps "$PWD"); then echo "ok docs/stablehlo.md"; else echo "FAIL docs/stablehlo.md"; fi >>"$out/results"
grep 'docs/' "$out/results"
passed=$(grep -c '^ok ' "$out/results") failed=$(cat "$out/results" "$out/failed" | grep -c '^FAIL')
echo "$unsaid programs have no StableHLO"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
