# Simulations that make arrays, run many times: what threads share in C, which way is taken, failures in a library.
. "$ROOT/tests/script/lib.inc"
cat >study.dsl <<'X'
fn halves(a: f64, n: int, depth: int) -> f64[n] {
    let v = [a * i for i in 0:n]
    assert a < 0.85, "too large"
    if depth == 0 { return v }
    return halves(a, n, depth - 1) * 0.5 + v
}
export fn study(a: f64[m], n: int) -> f64[m, n] {
    var r = zeros(f64, m, n)
    for k in 0:m { r[k, :] = halves(a[k], n, 3) }
    return r
}
export fn moved(a: f64[m], n: int) -> f64[m] {
    var r = zeros(f64, m)
    for k in 0:m {
        var v = ones(f64, n)
        for t in 0:100 { v = [v[i] + a[k] * v[(i + 1) % n] for i in 0:n] }
        r[k] = sum(v)
    }
    return r
}
let a = linspace(0.1, 0.8, 30)
print(sum(study(a, 500)), sum(moved(a, 300)))
X
# C: the turns at the same time, without threads inside; or in order, each with its own
"$DSLC" --emit=c study.dsl -o study.c
sed -n '/^dsl_array \*moved(dsl_array \*a_arr/,/^}/p' study.c >moved.c
[ "$(grep -c 'parallel for schedule(dynamic) firstprivate(r_arr' moved.c)" = 1 ] || { cat moved.c; exit 1; }
sed -n '/firstprivate/,/} else {/p' moved.c | sed 1d | grep -n 'omp parallel' && { echo "threads in threads"; exit 1; }
sed -n '/^    } else {/,$p' moved.c | grep -q 'omp parallel' || { echo "no threads for large arrays"; exit 1; }
"$DSLC" --emit=c --choose=ensembles=no study.dsl | grep -n 'firstprivate' && exit 1
for t in 1 2 7; do
    "$DSLC" build --cc=gcc study.dsl -o gcc.exe && ./gcc.exe --threads=$t >gcc.$t
    "$DSLC" run --choose=ensembles=no --threads=$t study.dsl >no.$t
    cmp gcc.1 gcc.$t && cmp gcc.1 no.$t
done
"$DSLC" --emit=plan study.dsl | grep -q 'independent} : f64\[m, n\].*# threads if .*, dynamic' ||
    { "$DSLC" --emit=plan study.dsl | grep independent; exit 1; }
# A library: the failure of a turn ends the call, and nothing is lost.
case $DSLC in */san/*) echo "skipped: a sanitized library needs a sanitized program"; exit 0 ;; esac
cat >use.c <<'X'
#include "study.h"
#include <stdio.h>
#include <string.h>
enum { M = 40, N = 3000 };
static double a[M], first[M * N], r[M * N];
static int wrong(study_context *c, int threads) {
    study_set_threads(c, threads);
    for (int k = 0; k < M; k++) a[k] = 0.1 + k * 0.01;
    if (study_study(c, M, a, N, r) != STUDY_OK) return 1;
    if (threads == 1) memcpy(first, r, sizeof r);
    a[11] = 0.9;
    return memcmp(first, r, sizeof r) || study_study(c, M, a, N, r) != STUDY_RUNTIME_ERROR;
}
int main(void) {
    study_context *c = study_context_new();
    for (int threads = 1; threads < 8; threads += 2)
        for (int turn = 0; turn < 10; turn++)
            if (wrong(c, threads)) return printf("wrong by %d threads\n", threads), 1;
    puts(study_error(c));
    study_context_free(c);
    return 0;
}
X
sed '/^let/d; /^print/d' study.dsl >lib.dsl && mv lib.dsl study.dsl
expect 0 "" "$DSLC" build --lib study.dsl -o made/
gcc -g -Wall -Wextra -Werror use.c -Imade made/libstudy.a -lgomp -lm -o use
expect 0 "'halves' was called here" ./use
if command -v valgrind >/dev/null; then
    [ "$(uname -m)" != x86_64 ] || expect 0 "" "$DSLC" build --cpu=x86-64-v3 --lib study.dsl -o made/
    gcc -g use.c -Imade made/libstudy.a -lgomp -lm -o use
    expect 0 "too large" valgrind -q --leak-check=full --error-exitcode=3 --suppressions="$ROOT/tests/lib/openmp.supp" ./use
fi
