#!/bin/sh
# bench/gradbench/build.sh DIR: makes a library of each program, and of these DIR/adapter, which speaks the protocol of GradBench.
# LEVEL=-O1: less than the usual -O3
set -e
here=$(cd "$(dirname "$0")" && pwd)
dslc=${DSLC:-$here/../../build/dslc} level=${LEVEL:--O3} to=${1:?where to}
mkdir -p "$to"
for f in hello gmm ba ht lstm lse llsq det kmeans ode particle saddle; do
    "$dslc" build "$level" --lib "$here/$f.dsl" -o "$to/"
    archives="$archives $to/lib$f.a"
done
${CC:-cc} -std=c11 -O2 -Wall -Wextra -Werror -I"$to" -I"$here/adapter" "$here"/adapter/*.c $archives -lgomp -lm -o "$to/adapter"
