#!/bin/sh
# bench/gpu/all.sh [--write]: all that is measured on a GPU, one table after the other: what programs reach of the memory's
# bandwidth, and matrix products (bandwidth.sh); the Rodinia suite's CUDA programs, if RODINIA says where they are
# (rodinia.sh); the shallow sea beside JAX, where there is JAX (jax.sh); programs of bench/ beside the processor
# (bench.sh).  Without a GPU it says so and ends with 0.  --write puts the tables into bench/gpu/results.
cd "$(dirname "$0")" || exit 1
status=0
for table in bandwidth rodinia jax bench; do
    [ $table != rodinia ] || [ -n "${RODINIA:-}" ] || continue
    ./$table.sh "$@" || status=1
    echo
done
exit $status
