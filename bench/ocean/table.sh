#!/bin/sh
# bench/ocean/table.sh: the ocean beside JAX and NumPy.  Milliseconds of a step (medians of REPS, 3, runs in turn), forward and of the gradient,
# on two grids with one thread and with two; then time and greatest memory of the gradient of 10 to 160 steps, as it is, with --memory-limit, and
# with jax.checkpoint around each step.  PYTHON: one that has JAX and NumPy.
# Takes a quarter of an hour on an idle machine; a table shows when it is complete.
root=$(cd "$(dirname "$0")/../.." && pwd)
dslc=${DSLC:-$root/build/dslc} reps=${REPS:-3} python=${PYTHON:-python3} limit=${LIMIT:-64MB}
out=$(mktemp -d "${TMPDIR:-/tmp}/ocean.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
cd "$out" || exit 1
"$python" -c 'import jax, numpy' 2>/dev/null || { echo "$0: PYTHON=$python has no JAX and NumPy (pip install jax numpy)" >&2; exit 1; }

build() { # name, grid, steps, more options...
    name=$1 steps=$3
    IFS=x read -r nx ny nz <<SIZES
$2
SIZES
    shift 3
    "$dslc" build -D nx="$nx" -D ny="$ny" -D nz="$nz" -D steps="$steps" "$@" -o "./$name" "$root/bench/ocean/ocean.dsl" || exit 1
}
jax() { "$python" "$root/bench/ocean/ocean_jax.py" "$1" "$nx" "$ny" "$nz" "$steps" 3 2>>jax.log || { cat jax.log >&2; exit 1; }; }
median() { sort -g | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }
memory() { # command...: its output's first number, and its greatest memory in MB
    /usr/bin/time -f 'peak %M' "$@" >said 2>peak || { cat said peak >&2; exit 1; }
    echo "$(awk '{ print $1; exit }' said) $(awk '$1 == "peak" { print $2 / 1024 }' peak)"
}

build check 64x64x16 20
./check --mode=check || exit 1
./check --mode=state >said && jax state || exit 1
echo
echo '| grid | threads | forward | JAX | NumPy | JAX over dslc | gradient | JAX | JAX over dslc | gradient over forward |'
echo '|---|---|---|---|---|---|---|---|---|---|'
for grid in 64x64x16 192x192x32; do
    [ $grid = 64x64x16 ] && build program $grid 20 || build program $grid 6
    for threads in 1 2; do
        export DSL_NUM_THREADS=$threads
        rm -f forward gradient jax_forward jax_gradient
        for r in $(seq "$reps"); do
            ./program --mode=forward >>forward && ./program --mode=gradient >>gradient || exit 1
            jax forward >>jax_forward
            jax gradient >>jax_gradient
        done
        echo "$grid $threads $(median <forward) $(median <jax_forward) $(jax numpy) $(median <gradient) $(median <jax_gradient)"
    done
done | awk '{ printf "| %s | %d | %.2f | %.2f | %.1f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", $1, $2, $3, $4, $5, $4 / $3, $6, $7, $7 / $6, $6 / $3; fflush() }'
export DSL_NUM_THREADS=1
echo
echo "| steps | ms a step | MB | --memory-limit=$limit: ms a step | MB | JAX: ms a step | MB | jax.checkpoint: ms a step | MB |"
echo '|---|---|---|---|---|---|---|---|---|'
for steps in 10 20 40 80 160; do
    build whole 64x64x16 $steps
    build bounded 64x64x16 $steps --memory-limit="$limit"
    echo "$steps $(memory ./whole --mode=gradient) $(memory ./bounded --mode=gradient) $(jax gradient) $(jax remat)"
done | awk '{ printf "| %d | %.2f | %.0f | %.2f | %.0f | %.2f | %.0f | %.2f | %.0f |\n", $1, $2, $3, $4, $5, $6, $7, $8, $9; fflush() }'
