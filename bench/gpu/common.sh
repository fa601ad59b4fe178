# What the scripts of this folder share; they stand in the root when they read it.  dslc: the compiler; out: a folder for what is made.

median() { sort -g | awk '{ x[NR] = $1 } END { if (NR) print x[int((NR + 1) / 2)] }'; }
agree() { awk -v x="$1" -v y="$2" 'BEGIN { d = x - y; m = x < 0 ? -x : x; exit !(d * d <= 1e-10 * (m * m + 1e-20)) }'; }

# Ends the script where there is no GPU that dslc can use; else device is its name
find_gpu() {
    echo 'print(sum([f64(i) for i in 0:1000]))' >"$out/probe.dsl"
    "$dslc" run --no-tune --target=cuda "$out/probe.dsl" >"$out/probe" 2>&1
    case $? in
    0) ;;
    4)
        echo "no GPU here, nothing is measured: $(sed -n 's/.*no GPU can be used: //p' "$out/probe" | head -1)"
        exit 0
        ;;
    *) cat "$out/probe"; exit 1 ;;
    esac
    device=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -1)
    device=${device:-unknown device}
}

# The table in $out/table, under the device and the date; before and behind those: what it is of
keep_table() { # before, behind
    mkdir -p bench/gpu/results
    cp "$out/table" "bench/gpu/results/$1$(echo "$device" | tr ' /' '__')-$(date +%Y-%m-%d)$2.md"
}
