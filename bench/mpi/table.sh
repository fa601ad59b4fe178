#!/bin/sh
# Programs of several processes beside the same by hand in C with MPI: bench/mpi/table.sh [RUNS].  Seconds are medians of
# runs that take turns; ratio: peer's seconds by dslc's, above 1 dslc is faster.  One thread in each process.
root=$(cd "$(dirname "$0")/../.." && pwd)
dslc=$root/build/dslc runs=${1:-5} cores=$(nproc)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
command -v mpicc >/dev/null && [ -f "$root/build/libdslmpi.a" ] || { echo "no MPI here"; exit 0; }
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 DSL_NUM_THREADS=1
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
seconds() { mpirun -n "$@" | sed -n 's/^seconds //p'; }
printf '%-12s %9s %9s %9s %7s\n' program processes dslc "C, MPI" ratio
for name in heat; do
    "$dslc" build --target=mpi "$root/bench/mpi/$name.dsl" -o "$work/$name" || exit 1
    mpicc -O3 -march=native -o "$work/peer" "$root/bench/mpi/${name}_peer.c" -lm || exit 1
    for n in $(seq 1 "$cores"); do
        rm -f "$work/ours" "$work/theirs"
        for _ in $(seq 1 "$runs"); do
            seconds "$n" "$work/$name" >>"$work/ours"
            seconds "$n" "$work/peer" >>"$work/theirs"
        done
        median <"$work/ours" >"$work/a" && median <"$work/theirs" >"$work/b"
        paste "$work/a" "$work/b" | awk -v name="$name" -v n="$n" '{ printf "%-12s %9d %9.3f %9.3f %7.2f\n", name, n, $1, $2, $2 / $1 }'
    done
done
