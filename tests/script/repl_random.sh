# Lines of words in no order: nothing crashes, and the session goes on.  LINES of them, from SEED.
awk -v n="${LINES:-200}" -v seed="${SEED:-1}" 'BEGIN {
    srand(seed)
    k = split("let var fn kernel struct if else for while return x y z f g 1 2.5 \"s\" 0:3 = + - * / // % ^ @ ( ) [ ] { } , : . == < and not true zeros(f64,3) sum( [i launch barrier _ int f64 f64[n] -> => in import :type :ir :c :doc :vars # \\ $ \t", w, " ")
    for (i = 0; i < n; i++) {
        line = ""
        for (j = 1 + int(rand() * 8); j > 0; j--) line = line w[1 + int(rand() * k)] (rand() < 0.8 ? " " : "")
        print line
        if (i % 5 == 4) print "}}}}}}}}}}}}\n"
    }
    print ""
    print "}}}}}}}}}}}}\n"
    print "print(\"still\", 40 + 2)"
}' | grep -v ':reset\|:quit\|while true' >lines.repl
"$DSLC" repl <lines.repl >out 2>&1
[ $? -le 1 ] && grep -aqx 'still 42' out && ! grep -aE 'crashed|internal error|runtime error|Sanitizer' out
