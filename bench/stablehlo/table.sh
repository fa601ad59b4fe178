#!/bin/sh
# bench/stablehlo/table.sh: programs of dslc in XLA beside the same written in JAX; PYTHON: one that has JAX.  One thread.
root=$(cd "$(dirname "$0")/../.." && pwd)
dslc=${DSLC:-$root/build/dslc} python=${PYTHON:-python3} reps=${REPS:-5}
out=$(mktemp -d "${TMPDIR:-/tmp}/stablehlo.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
"$python" -c 'import jax' 2>/dev/null || { echo "$0: PYTHON=$python has no JAX (pip install jax)" >&2; exit 1; }
cd "$out" || exit 1
awk '/^```python dsl_jax.py/ { on = 1; next } /^```/ { on = 0 } on' "$root/docs/stablehlo.md" >dsl_jax.py
"$dslc" --emit=stablehlo --size=n=1000 --size=m=1000 --size=steps=20 "$root/bench/stablehlo/plate.dsl" -o plate.mlir &&
    "$dslc" --emit=stablehlo --size=steps=20 -D nx=64 -D ny=64 -D nz=16 "$root/bench/stablehlo/ocean.dsl" -o ocean.mlir || exit 1
echo '| program | JAX | dslc, in XLA | JAX over dslc | greatest difference |'
echo '|---|---|---|---|---|'
"$python" "$root/bench/stablehlo/times.py" 64 64 16 20 1000 20 "$reps" 2>log || { cat log >&2; exit 1; }
