# Programs that other programs write: chains of 20,000 operators, in time in proportion, on any stack; longer ones are refused.
. "$ROOT/tests/script/lib.inc"
chain() { # links, first, link
    printf 'let z = int(1.5 + 0.1 * uniform(1, 1))\nlet y = %s' "$2"
    awk -v n="$1" -v link="$3" 'BEGIN { for (i = 1; i < n; i++) printf " " link, i % 7; print "\nprint(y)" }'
}
small() { ( ulimit -s 1024; expect "$@" ); }
case $DSLC in */san/*) long=3000 ;; *) long=20000 ;; esac # whose calls need more of the stack
for link in '+ %d' '- z * %d' 'xor %d' '+ (z + %d) // 2'; do
    chain $long z "$link" >t.dsl
    small 0 '' timeout 60 "$DSLC" interp --stage=ir t.dsl
    cp shown right
    small 0 '' timeout 60 "$DSLC" interp --stage=loops t.dsl
    cmp -s right shown || { echo "$link: other values"; cat right shown; exit 1; }
done
expect 0 '' timeout 60 "$DSLC" run -O0 t.dsl
cmp -s right shown || { echo "compiled: other values"; cat right shown; exit 1; }
chain $long 'z > 0' 'and z > -%d' >t.dsl
small 0 true timeout 60 "$DSLC" interp t.dsl
chain 100100 z '+ %d' >t.dsl
expect 1 'E0117' timeout 60 "$DSLC" check t.dsl
# else if
cases() {
    printf 'fn f(x: int) -> int {\n    var r = 0\n    if x == 0 { r = 5 }'
    awk -v n="$1" 'BEGIN { for (i = 1; i < n; i++) printf " else if x == %d { r = %d }\n", i, 3 * i }'
    printf ' else { r = -1 }\n    return r\n}\nprint(f(7), f(100000))\n'
}
cases 2000 >t.dsl
small 0 '21 -1' timeout 60 "$DSLC" interp --stage=loops t.dsl
expect 0 '21 -1' timeout 60 "$DSLC" run -O0 t.dsl
cases 5100 >t.dsl
expect 1 'E0117' timeout 60 "$DSLC" check t.dsl
# Functions that call the one before four times each
awk 'BEGIN {
    print "fn g0(x: f64) -> f64 = x * 2"
    for (i = 1; i <= 30; i++) {
        g = "g" i - 1
        print "fn g" i "(x: f64) -> f64 {\n    var s = x\n    while s < 3 { s += " g "(s) + exp(" g "(s * 2)) + 1 }"
        print "    while s > 2 { s -= " g "(s) + exp(" g "(s * 2)) + 1 }\n    return s\n}"
    }
    print "print(sum([g30(0.1 * i) for i in 0:int(time()) % 7]))"
}' >t.dsl
expect 0 'static double g2(' timeout 60 "$DSLC" --emit=c t.dsl
