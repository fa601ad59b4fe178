# Folders for temporary files go with the process, also when a signal ends it while the C compiler runs, and so does that,
# with what it started.
mkdir tmp
TMPDIR=$PWD/tmp XDG_CACHE_HOME=$PWD/cache DSL_CC=$PWD/slow
export TMPDIR XDG_CACHE_HOME DSL_CC
printf '#!/bin/sh\nsleep 60 &\necho $! >"$TMPDIR/../part"\nwait\n' >slow
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
    for name in "run twice.dsl" "build twice.dsl" "build --lib twice.dsl -o made/" "repl --jit=no"; do
        env --default-signal=INT "$DSLC" $name <lines.repl >out 2>&1 &
        pid=$!
        wait_for '[ -n "$(ls tmp)" ] && [ -s part ]'
        kill -$signal $pid
        wait $pid
        wait_for '[ -z "$(ls tmp | grep ^dslc-)" ]'
        wait_for '! grep -q sleep /proc/$(cat part)/cmdline 2>/dev/null'
        rm -rf tmp/* cache part
    done
done

# What a process that was killed leaves in the cache, and in the folder of a plot, goes the next time; what belongs to others, and what
# is new, stays.
printf '#!/bin/sh\ncc "$@"\n: >"$TMPDIR/../made"\nsleep 5\n' >slow # the executable is there, and not renamed yet
"$DSLC" run twice.dsl >out 2>&1 &
pid=$! name=run signal=KILL
wait_for '[ -e made ]'
kill -KILL $pid
wait $pid
left=$(echo cache/dslc/*.$pid)
touch -d '2 hours ago' "$left"
touch -d '2 hours ago' cache/dslc/abc.$$ # of a process that lives
touch cache/dslc/new.$pid
mkdir "tmp/dsl-plot-$pid-abcdef" "tmp/dsl-plot-$$-abcdef" tmp/dsl-plot-mine tmp/dsl-plot-1-other
touch "tmp/dsl-plot-$pid-abcdef/script" "tmp/dsl-plot-$pid-abcdef/data"
touch -d '2 hours ago' tmp/dsl-plot-*
unset DSL_CC
echo 'plot("p.png", [1.0, 2.0], [1.0, 2.0])' >p.dsl
"$DSLC" run p.dsl >out 2>&1 || ! command -v gnuplot >/dev/null || { cat out; exit 1; }
[ ! -e "$left" ] && [ -e cache/dslc/abc.$$ ] && [ -e cache/dslc/new.$pid ] || { ls -l cache/dslc; exit 1; }
[ "$(ls tmp | grep dsl-plot | wc -l)" = 3 ] && [ ! -e "tmp/dsl-plot-$pid-abcdef" ] || { ls -l tmp; exit 1; }
exit 0
