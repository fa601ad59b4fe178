# A session of 300 lines with 40 errors of many kinds ends with its state intact.
awk 'BEGIN {
    split("1 +* 2|undefined_name|x[99]|1 // 0|let q: f64 = \"text\"|fn )|}|x + zeros(f64, 7)|assert 1 > 2, \"no\"|total = \"text\"", wrong, "|")
    print "let x = linspace(0.0, 1.0, 5)"
    print "var total = 0"
    print "fn step(t: int, k: int) -> int = t + k"
    for (i = 1; i <= 296; i++) {
        if (i % 7 == 0 && errors < 40) print wrong[1 + errors++ % 10]
        else print "total = step(total, " i ")"
    }
    print "print(\"total\", total, sum(x))"
}' >lines.repl
[ "$(wc -l <lines.repl)" = 300 ] || exit 1
want=$(awk 'BEGIN { for (i = 1; i <= 296; i++) if (i % 7 == 0 && errors < 40) errors++; else s += i; print s }')
"$DSLC" repl <lines.repl >out 2>err
[ $? = 1 ] || { echo "the status says nothing of the errors"; exit 1; }
grep -qx "total $want 2.5" out || { tail -n 3 out err; echo "expected total $want"; exit 1; }
[ "$(grep -c 'error\[' err)" -ge 40 ] || { echo "fewer errors than lines with errors"; exit 1; }
# --stop-on-error ends at the first
printf 'let a = 1\na +* 2\nprint("after")\n' | "$DSLC" repl --stop-on-error >out 2>err
[ $? = 1 ] && ! grep -q after out
