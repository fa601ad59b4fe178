# Folders for temporary files go with the process, also when a signal ends it while the C compiler runs.
mkdir tmp
TMPDIR=$PWD/tmp XDG_CACHE_HOME=$PWD/cache DSL_CC=$PWD/slow
export TMPDIR XDG_CACHE_HOME DSL_CC
printf '#!/bin/sh\nsleep 2\nexec cc "$@"\n' >slow
chmod +x slow
printf 'export fn twice(x: f64) -> f64 = 2.0 * x\nprint(twice(1.0))\n' >twice.dsl
printf 'let x = linspace(0.0, 1.0, 3000000)\n' >lines.repl
wait_for() { # a command: until it succeeds, for at most 20 seconds
    for i in $(seq 200); do
        eval "$1" && return
        sleep 0.1
    done
    echo "not in 20 seconds: $1 ($name after $signal)"
    ls -R tmp
    exit 1
}
for signal in TERM HUP INT KILL; do
    for name in "run twice.dsl" "build twice.dsl" "build --lib twice.dsl -o made/" "repl"; do
        env --default-signal=INT "$DSLC" $name <lines.repl >out 2>&1 &
        pid=$!
        wait_for '[ -n "$(ls tmp)" ]'
        kill -$signal $pid
        wait $pid
        wait_for '[ -z "$(ls tmp | grep ^dslc-)" ]'
        rm -rf tmp/* cache
    done
done
exit 0
