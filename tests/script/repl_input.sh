# Bytes that are no text, from a pipe; what :time says; a text that was compiled is not compiled again
. "$ROOT/tests/script/lib.inc"
printf '1 + 1\n2\0 + 3\nlet a = [1,\n2\0]\n3 + 4\n' | "$DSLC" repl >out 2>err
[ $? = 1 ] || { echo "NUL is no error"; exit 1; }
printf '2 : int\n7 : int\n' | cmp - out && [ "$(grep -c 'NUL (byte 0)' err)" = 2 ] || { cat out err; exit 1; }
printf '1\0\nprint("after")\n' | "$DSLC" repl --stop-on-error >out 2>&1 && exit 1
grep -q after out && { echo "--stop-on-error went on"; exit 1; }
# What a command could not do is an error of the session.
for line in ':c nosuch' ':explain E9999' ':save /nowhere/x.dsl' ':load nosuch.dsl' ':type 1 +'; do
    printf '%s\nprint("after")\n' "$line" | "$DSLC" repl --stop-on-error >out 2>&1 && { echo "no error: $line"; exit 1; }
    grep -q after out && { echo "--stop-on-error went on after $line"; exit 1; }
done
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
printf 'let x = linspace(0.0, 1.0, 3000000)\n:time sum(sqrt(x))\n1\n:time sum(sqrt(x))\n:time 1 + 1\n' | "$DSLC" repl --jit=no >out 2>&1
[ "$(grep -cE '^[0-9.e+]+ (us|ms|s), compiled; [0-9.e+]+ (us|ms|s) to compile it$' out)" = 1 ] || { cat out; exit 1; }
[ "$(grep -cE '^[0-9.e+]+ (us|ms|s), compiled$' out)" = 1 ] || { cat out; exit 1; }
[ "$(grep -cE '^[0-9.e+]+ (us|ms|s), interpreted$' out)" = 1 ] || { cat out; exit 1; }
[ "$(ls cache/dslc | wc -l)" = 2 ] || { ls cache/dslc; exit 1; }
