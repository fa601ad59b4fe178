#!/bin/sh
# Numbers with twice the digits of f64 beside libqd (Debian: libqd-dev) and __float128: nanoseconds for each element, one thread,
# medians of REPS runs in turn.  bench/pairs/table.sh [REPS]
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/bench/pairs
reps=${1:-9}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
: "${CXX:=g++}"
"$root/build/dslc" build --pairs=f64 "$here/digits.dsl" -o "$work/pairs" || exit 1
"$root/build/dslc" build "$here/digits.dsl" -o "$work/f64" || exit 1
columns="f64 pairs"
if printf '#include <qd/dd_real.h>\n' | "$CXX" -E -x c++ - >"$work/log" 2>&1; then
    "$CXX" -O3 -march=native "$here/digits_peer.cc" -o "$work/libqd" -lqd && columns="$columns libqd"
else
    echo "without libqd (apt-get install libqd-dev)"
fi
if printf '#include <quadmath.h>\n' | "$CXX" -E -x c++ - >"$work/log" 2>&1; then
    "$CXX" -O3 -march=native -DQUAD "$here/digits_peer.cc" -o "$work/float128" -lquadmath && columns="$columns float128"
else
    echo "without __float128"
fi
for r in $(seq "$reps"); do
    for c in $columns; do DSL_NUM_THREADS=1 "$work/$c" | sed "s/^/$c /" >>"$work/times"; done
done
sort -k2,2 -k1,1 -k3,3g "$work/times" | awk -v columns="$columns" '
    { key = $2 " " $1; t[key, ++n[key]] = $3; check[key] = $4; if (!($2 in seen)) { seen[$2] = 1; rows[++nrows] = $2 } }
    END {
        m = split(columns, c, " ")
        printf "%-6s", ""
        for (k = 1; k <= m; k++) printf "%10s", c[k]
        print "   pairs beside the faster one"
        for (r = 1; r <= nrows; r++) {
            printf "%-6s", rows[r]
            best = 0
            for (k = 1; k <= m; k++) {
                key = rows[r] " " c[k]
                v = t[key, int((n[key] + 1) / 2)]
                if (k == 2) mine = v
                if (k > 2 && (!best || v < best)) best = v
                if (c[k] != "f64" && (d = check[key] - check[rows[r] " pairs"]) * d > 1e-28 * check[key]^2) print "other result of " key
                printf "%10.2f", v
            }
            if (best) printf "%10.2f", best / mine
            print ""
        }
    }'
