#!/bin/sh
# bench/models/table.sh [MODEL...]: milliseconds of each model forward and of its gradient beside the same in JAX and PyTorch, medians
# of one run (REPS, 15), with so many THREADS (1).  ROUNDS (3): all of them in turn, the best median of each.  PYTHON: one that has
# NumPy, JAX, PyTorch.  Results of each are compared: norms and sums in a direction of what is computed and of each gradient, relative to
# the norm, to 2e-5 (f32) and 1e-8 (neuron, cable: f64).
root=$(cd "$(dirname "$0")/../.." && pwd)
dslc=${DSLC:-$root/build/dslc} reps=${REPS:-15} rounds=${ROUNDS:-3} threads=${THREADS:-1} python=${PYTHON:-python3}
out=$(mktemp -d "${TMPDIR:-/tmp}/models.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
"$python" -c 'import jax, numpy, torch' 2>/dev/null || { echo "$0: PYTHON=$python has no JAX, NumPy and PyTorch" >&2; exit 1; }
export DSL_NUM_THREADS="$threads" OMP_NUM_THREADS="$threads" OPENBLAS_NUM_THREADS="$threads"
processors=0
[ "$threads" -eq 1 ] || processors=0-$((threads - 1))

program() { case $1 in cable | tree) echo neuron ;; *) echo "$1" ;; esac }
sizes() {
    case $1 in
    kan) echo batch=1024 inputs=16 hidden=64 cells=8 ;;
    block) echo tokens=256 width=512 heads=8 inner=1376 ;;
    cable) echo neurons=16 comps=100 branch=100 steps=1000 ;;
    tree) echo neurons=16 comps=100 branch=10 steps=1000 ;;
    esac
}
ways() { # of the peers
    case $1 in
    kan) echo jit eager torch ;;
    block) echo jit torch sdpa ;;
    cable) echo scan thomas ;;
    tree) echo scan ;;
    esac
}
ours() { taskset -c "$processors" "$out/$1.$2.exe"; }
theirs() { # model, way
    more="threads=$threads"
    case $1 in cable | tree) more= ;; esac
    # shellcheck disable=SC2046,SC2086
    taskset -c "$processors" "$python" "$root/bench/models/$(program "$1")_peer.py" way="$2" reps="$reps" $(sizes "$1") $more
}
same() { # model, two files
    tolerance=2e-5
    case $1 in cable | tree) tolerance=1e-8 ;; esac
    awk -v tolerance=$tolerance '
        $1 != "check" { next }
        NR == FNR { norm[$2] = $3; sum[$2] = $4; n++; next }
        { d = ($3 - norm[$2]) / norm[$2]; e = ($4 - sum[$2]) / norm[$2]; m++
          if (!($2 in norm) || !(d < tolerance && d > -tolerance && e < tolerance && e > -tolerance)) { print $2, d, e; bad = 1 } }
        END { exit bad || n != m || !n }' "$2" "$3" >&2 || { echo "$1: results differ" >&2; exit 1; }
}
[ $# -gt 0 ] || set -- kan block cable tree
echo '| model | way | forward | gradient | gradient / forward | forward over dslc | gradient over dslc |'
echo '|---|---|---|---|---|---|---|'
for model; do
    for fp in strict reassoc; do
        # shellcheck disable=SC2046
        "$dslc" build --fp=$fp -D reps="$reps" $(printf -- '-D %s ' $(sizes "$model")) -o "$out/$model.$fp.exe" \
            "$root/bench/models/$(program "$model").dsl" || exit 1
    done
    for round in $(seq "$rounds"); do
        for fp in strict reassoc; do ours "$model" $fp >"$out/dslc-$fp.$round" || exit 1; done
        for way in $(ways "$model"); do
            theirs "$model" "$way" >"$out/$way.$round" || exit 1
            same "$model" "$out/dslc-strict.$round" "$out/$way.$round" || exit 1
        done
        same "$model" "$out/dslc-strict.$round" "$out/dslc-reassoc.$round" || exit 1
    done
    for way in dslc-strict dslc-reassoc $(ways "$model"); do
        cat "$out/$way".[0-9]* | awk -v model="$model" -v way="$way" '
            $1 == "forward" && (!f || $2 < f) { f = $2 }
            $1 == "gradient" && (!g || $2 < g) { g = $2 }
            END { print model, way, f, g }'
    done | awk '
        NR == 1 { f = $3; g = $4 }
        { printf "| %s | %s | %.3g | %.3g | %.2f | %.2f | %.2f |\n", $1, $2, $3, $4, $4 / $3, $3 / f, $4 / g }'
done
