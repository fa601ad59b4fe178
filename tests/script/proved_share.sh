# Of the accesses in all programs of tests, examples and bench whose indices do not come out of memory, at least 95 of 100 are
# proved to be inside their arrays; of the pairs that may run at the same time, at least 95 of 100 are proved or refuted.
for f in "$ROOT"/tests/run/*.dsl "$ROOT"/examples/*.dsl "$ROOT"/bench/*.dsl "$ROOT"/bench/*/*.dsl; do
    timeout 60 "$DSLC" check --explain-checks "$f" 2>&1 | grep '^races: \|^bounds: '
done >all
awk '{ for (i = 1; i <= NF; i++) gsub(/[(,]/, "", $i) }
     $1 == "races:" { pairs += $2; told += $6 + $8; rdata += $12 }
     $1 == "bounds:" { accesses += $2; proved += $4; bdata += $12 }
     END {
        r = 100 * told / (pairs - rdata); b = 100 * proved / (accesses - bdata)
        printf "races: %d of %d pairs proved or refuted (%.1f %%), %d more depend on data\n", told, pairs - rdata, r, rdata
        printf "bounds: %d of %d accesses proved (%.1f %%), %d more depend on data\n", proved, accesses - bdata, b, bdata
        exit !(pairs > 500 && accesses > 1000 && r >= 95 && b >= 95)
     }' all
