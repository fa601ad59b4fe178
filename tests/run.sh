#!/bin/sh
# The whole suite: tests/run.sh [part of a case's name].  Cases run side by side, one for each core; the last line is
# "N passed, N failed".  build/tests.log has the processor time of each.
root=$(cd "$(dirname "$0")/.." && pwd)
filter=${1:-}
list=$root/build/tests.list
mkdir -p "$root/build"
: >"$list"
add() { # kind, glob: one case per file
    kind=$1
    shift
    for f in "$@"; do [ ! -f "$f" ] || echo "$kind $f" >>"$list"; done
}

# Examples in the documents: every ```dsl block is a program that must pass `dslc check` and run; a "```c NAME.c" block
# is a file beside them.
docs=$root/build/doc-examples
rm -rf "$docs" && mkdir -p "$docs"
for doc in "$root"/docs/language.md "$root"/README.md; do
    [ -f "$doc" ] && awk -v base="$docs/$(basename "$doc" .md)" '
        /^```dsl/ { n++; file = sprintf("%s-%02d.dsl", base, n); printf "" > file; inside = 1; next }
        /^```c .*[.]c$/ { dir = base; sub("[^/]*$", "", dir); file = dir $2; printf "" > file; inside = 1; next }
        /^```/    { if (inside) close(file); inside = 0 }
        inside    { print > file }' "$doc"
done

add script "$root"/tests/script/*.sh # the longest first
add example "$docs"/*.dsl
# Examples with what makes them small enough for the reference interpreter
while read -r name defines; do
    case $name in '' | '#'*) continue ;; esac
    echo "example $root/examples/$name.dsl${defines:+ $defines}" >>"$list"
done <"$root/tests/examples.list"
for f in "$root"/bench/gradients/*.dsl "$root"/bench/ocean/*.dsl "$root"/bench/models/*.dsl; do case $f in */measure.dsl) ;; *) add example "$f" ;; esac done # small sizes
add run "$root"/tests/run/*.dsl
for f in "$root"/tests/unit/*_test.c; do echo "unit $root/build/unit/$(basename "$f" .c)" >>"$list"; done
add syntax "$root"/tests/syntax/*.dsl
for f in "$root"/tests/error/*.dsl; do [ -f "${f%.dsl}.err" ] && echo "error $f" >>"$list"; done
add type "$root"/tests/type/*.dsl
add pass "$root"/tests/pass/*.ir "$root"/tests/pass/*/*.ir "$root"/tests/pass/*.dsl "$root"/tests/pass/*/*.dsl
add pass "$root"/tests/codegen/*.ir "$root"/tests/codegen/*.dsl
add pass "$root"/tests/stablehlo/*.dsl
[ ! -f "$root/build/libdslllvm.so" ] || add pass "$root"/tests/llvm/*.ir "$root"/tests/llvm/*.dsl
add ir "$root"/tests/ir/*.ir
add warnings "$root"/tests/codegen/*.ir
for f in "$root"/tests/notebook/*.dsl "$root"/examples/*.dsl; do [ -f "${f%.dsl}.out" ] && echo "notebook $f" >>"$list"; done
add repl "$root"/tests/repl/*.repl
add terminal "$root"/tests/repl/*.exp "$root"/tests/notebook/*.exp
add lang "$root"/tests/lang/*.dsl

# Every program by both compilers, by both tiers of --jit, on the simulated GPU, or on a real one, for itself
case ${KIND:-} in run | jit | sim | gpu | mpi)
    { sed -n "s/^run /$KIND /p; s/^example /$KIND /p" "$list"; } >"$list.some"
    mv "$list.some" "$list"
    NO_FUZZ=1 ;;
esac
[ -z "$filter" ] || { grep -e "$filter" "$list" >"$list.some"; mv "$list.some" "$list"; }
[ -s "$list" ] || { echo "no case is called '$filter'"; exit 1; }
# What make test has built is built; what is named here may be older than its source.
[ -z "$filter" ] || ! grep -q '^unit ' "$list" || make -s -C "$root" units || exit 1
XDG_CACHE_HOME=$root/build/test-cache
export XDG_CACHE_HOME
log=$root/build/tests.log
xargs -P "$(nproc)" -L 1 sh "$root/tests/case.sh" <"$list" >"$log" 2>&1 &
cases=$!
trap 'kill $cases 2>/dev/null; exit 130' INT TERM HUP
if [ -t 2 ]; then # how far it is
    while kill -0 $cases 2>/dev/null; do
        printf '\r%s of %s ' "$(grep -c '^ok \|^FAIL ' "$log")" "$(wc -l <"$list")" >&2
        sleep 1
    done
    printf '\r\033[K' >&2
fi
wait $cases
grep -v '^ok ' "$root/build/tests.log"
passed=$(grep -c '^ok ' "$root/build/tests.log")
failed=$(($(wc -l <"$list") - passed))
if [ -z "$filter" ] && [ -z "${NO_FUZZ:-}" ] && [ -x "$root/tests/fuzz.sh" ]; then
    for kind in 80 "--nests 12" "--grads 20" "--products 20"; do # `make fuzz` runs as many as one likes
        "$root/tests/fuzz.sh" $kind &
        cases=$!
        wait $cases && passed=$((passed + 1)) || failed=$((failed + 1))
    done
fi
[ -f "$root/build/libdslllvm.so" ] || echo "without --jit, for which LLVM and clang are not there (llvm-19-dev)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
