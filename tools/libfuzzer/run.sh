#!/bin/sh
# tools/libfuzzer/run.sh FOLDER [SECONDS]: each target of FOLDER for SECONDS (600), from the test programs on.
# What crashed, hung (10 s), leaked or took 2 GB stays in FOLDER; exit 0 if nothing did.
cd "$(dirname "$0")/../.." || exit 1
folder=$1 seconds=${2:-600} status=0

seeds() { # target: its first inputs, one file each
    case $1 in
    front) find tests examples bench docs -name '*.dsl' -size -8k ;;
    ir) find tests -name '*.ir' -size -16k ;;
    data) find tests examples \( -name '*.npy' -o -name '*.tune' \) -size -16k ;;
    esac
}

# The languages' own words, from where they are declared
{ grep -oE '^"[a-z]+"' grammar/lexer.l; sed -nE 's/^(OP|E1|E2|M1)\([A-Z0-9_]+, ("[a-z0-9_.]+").*/\2/p' ir/ops.def; } | sort -u >"$folder/words.txt"

for target in front ir data; do
    corpus=$folder/$target.corpus log=$folder/$target.log
    mkdir -p "$corpus"
    seeds $target | while read -r f; do cp "$f" "$corpus/$(echo "$f" | tr / _)"; done
    "$folder/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 -close_fd_mask=3 \
        -dict="$folder/words.txt" -artifact_prefix="$folder/$target." "$corpus" >"$log" 2>&1 || status=1
    echo "libfuzzer $target: $(grep -oE 'Done [0-9]+ runs in [0-9]+' "$log" | tail -n 1 || true)$(grep -oE 'ERROR: .*' "$log" | head -n 1)"
done
exit $status
