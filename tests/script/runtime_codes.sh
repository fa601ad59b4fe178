# Every code that a running program can show is explained.
. "$ROOT/tests/script/lib.inc"
codes=$(cat "$ROOT"/runtime/*.c "$ROOT"/interp/*.c "$ROOT"/lower/*.c | grep -o '"E06[0-9][0-9]"' | tr -d '"' | sort -u)
[ "$(echo "$codes" | wc -l)" -ge 30 ] || { echo "only these codes: $codes"; exit 1; }
for code in $codes; do expect 0 "$code" "$DSLC" explain "$code"; done
