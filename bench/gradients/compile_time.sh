#!/bin/sh
# bench/gradients/compile_time.sh: milliseconds of processor time from source to C (mean of RUNS, 20): the sea of
# shallow_water.dsl without its gradient and with it; then gradients of functions of 50, 100, 200 and 400 statements, where twice
# the length should take twice the time.
root=$(cd "$(dirname "$0")/../.." && pwd)
dslc=${DSLC:-$root/build/dslc} runs=${RUNS:-20}
out=$(mktemp -d "${TMPDIR:-/tmp}/compile.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

ms() { # FILE: user and system time of the compiler
    (
        for i in $(seq "$runs"); do "$dslc" build --emit=c "$1" -o "$out/c" 2>"$out/said" || { cat "$out/said" >&2; exit 1; }; done
        times
    ) | awk -v n="$runs" 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, p, "[ms]"); t += 60 * p[1] + p[2] } printf "%.1f", 1000 * t / n }'
}
sea() { # the program up to its gradient, with an exported function that is the energy, or the gradient
    sed '/^let gradient/,$d; s/^import "measure.dsl"//' "$root/bench/gradients/shallow_water.dsl"
    echo 'export fn run(e: f64[p, q], d: f64[p, q], a: f64[p, q], b: f64[p, q], steps: int) -> f64 = energy(e, d, a, b, steps, 1.0)'
    [ "$1" = without ] && return
    echo 'export fn slope(e: f64[p, q], d: f64[p, q], a: f64[p, q], b: f64[p, q], steps: int) -> f64[p, q] = grad(energy, wrt=eta0)(e, d, a, b, steps, 1.0)'
}
arrays() { # n statements of whole arrays
    echo 'fn f(x: f64[n]) -> f64 {'
    echo '    let v0 = x'
    for i in $(seq "$1"); do echo "    let v$i = sin(v$((i - 1))) * 0.9 + sum(v$((i / 2))) / f64(n)"; done
    echo "    return sum(v$1)"
    echo '}'
    echo 'export fn slope(x: f64[n]) -> f64[n] = grad(f)(x)'
}
launches() { # n launches
    echo 'kernel step(next: out f64[n], u: f64[n]) {'
    echo '    let i = block.x * blockdim.x + thread.x'
    echo '    if i >= 1 and i < n - 1 { next[i] = u[i] + 0.1 * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]) }'
    echo '}'
    echo 'fn f(x: f64[n]) -> f64 {'
    echo '    var v0 = x'
    for i in $(seq "$1"); do
        echo "    var v$i = v$((i - 1))"
        echo "    launch step[ceildiv(n, 64), 64](v$i, v$((i - 1)))"
    done
    echo "    return sum(v$1^2)"
    echo '}'
    echo 'export fn slope(x: f64[n]) -> f64[n] = grad(f)(x)'
}
scalars() { # n statements in a loop of scalars
    echo 'fn f(x: f64, n: int) -> f64 {'
    echo '    var s = x'
    echo '    for t in 0:n {'
    echo '        let v0 = s'
    for i in $(seq "$1"); do echo "        let v$i = sin(v$((i - 1))) * v$((i / 2)) + 0.5"; done
    echo "        s = v$1"
    echo '    }'
    echo '    return s'
    echo '}'
    echo 'export fn slope(x: f64, n: int) -> f64 = grad(f, wrt=x)(x, n)'
}
sea without >"$out/a.dsl"
sea with >"$out/b.dsl"
a=$(ms "$out/a.dsl") b=$(ms "$out/b.dsl")
echo '| program | milliseconds |'
echo '|---|---|'
echo "| shallow_water, the program | $a |"
echo "| shallow_water, with its gradient | $b |"
awk "BEGIN { printf \"| the gradient adds, times the program | %.2f |\\n\", ($b - $a) / $a }"
for kind in arrays launches scalars; do
    for n in 50 100 200 400; do
        $kind $n >"$out/x.dsl"
        echo "| gradient of $n $kind | $(ms "$out/x.dsl") |"
    done
done
