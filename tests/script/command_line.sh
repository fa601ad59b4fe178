# The command line: exit codes, help, spelling, where output goes.
. "$ROOT/tests/script/lib.inc"
echo 'print(1 + 1)' >a.dsl
expect 0 "usage" "$DSLC" --help
[ "$(wc -l <shown)" -le 40 ] && [ "$(wc -L <shown)" -le 100 ] || { echo "help does not fit a screen"; exit 1; }
for option in --target=cpu --explain-transfers --coarsen-thread= --coarsen-block= --choose=NAME --no-tune; do expect 0 "$option" "$DSLC" run --help; done
for option in --target=cpu --coarsen-thread= --coarsen-block= --choose=NAME; do
    for c in build check; do expect 0 "$option" "$DSLC" $c --help; done
done
expect 2 "unknown" "$DSLC" --no-such-option a.dsl
expect 2 "check" "$DSLC" chek a.dsl
expect 1 "E0701" "$DSLC" check nothing.dsl
expect 0 "2" "$DSLC" run a.dsl
expect 0 "" "$DSLC" check a.dsl
expect 0 "" "$DSLC" a.dsl
expect 0 "2" ./a
expect 0 "" "$DSLC" build a.dsl -o b
expect 0 "2" ./b
for stage in tokens ast typed ir par loops plan c; do
    [ $stage = tokens ] || expect 0 "" "$DSLC" --emit=$stage a.dsl
done
expect 0 "main" "$DSLC" --emit=c a.dsl -o -
expect 2 "stage" "$DSLC" --emit=nothing a.dsl
expect 0 "E0201" "$DSLC" explain E0201
expect 1 "E9999" "$DSLC" explain E9999
# run gets the program's own status
echo 'assert 1 > 2, "never"' >fails.dsl
expect 1 "never" "$DSLC" run fails.dsl
expect 1 "E0640" "$DSLC" run fails.dsl
# -D
echo 'const n = 3
print(n * 2)' >d.dsl
expect 0 "6" "$DSLC" run d.dsl
expect 0 "14" "$DSLC" run -D n=7 d.dsl
expect 1 "m" "$DSLC" run -D m=7 d.dsl
# options after the file belong to the program or are understood; threads
expect 0 "6" "$DSLC" run --threads=2 d.dsl
expect 2 "threads" "$DSLC" run --threads=zero d.dsl
for bad in 0 -2 4097 99999999999999999999; do expect 2 "it takes a number from 1 to 4096" "$DSLC" run --threads=$bad d.dsl; done
# nothing that is said is passed over: a second file, arguments for a program that are not behind --
for c in run tune; do expect 2 "dslc $c a.dsl -- d.dsl" "$DSLC" $c a.dsl d.dsl; done
for c in build bench interp opt --emit=ir --bisect; do expect 2 "'d.dsl' is one argument too many" "$DSLC" $c a.dsl d.dsl; done
expect 2 'import "d.dsl"' "$DSLC" a.dsl d.dsl
# --bisect comes to the C of the program, too
expect 0 "no pass changes the result" "$DSLC" --bisect a.dsl
# Passes of other targets are not its business
"$DSLC" --bisect --print-after=partition a.dsl >shown 2>&1
! grep -q '^# after partition' shown || { cat shown; exit 1; }
expect 1 "cannot be made" "$DSLC" --bisect --cc=/no/such/compiler a.dsl
expect 2 "it takes no file" "$DSLC" reference a.dsl
for c in build check test bench notebook explain repl; do expect 2 "only run, interp and tune" "$DSLC" $c a.dsl -- 3; done
expect 2 "there is no argument '3'" "$DSLC" run a.dsl -- 3 d.dsl
expect 0 "" "$DSLC" check a.dsl d.dsl
expect 0 "no bench blocks" "$DSLC" bench a.dsl
expect 0 "0 passed, 0 failed" "$DSLC" test a.dsl
echo 'bench "sum" { assert sum([1, 2]) == 3 }' >e.dsl
expect 0 "no bench block has 'product' in its name" "$DSLC" bench --filter=product e.dsl

# Whatever is printed must arrive.
if [ -w /dev/full ]; then
    printf 'let x = 1.5\nprint(x)\ntest "t" { assert true }\nbench "b" { assert true }\n' >full.dsl
    "$DSLC" build full.dsl -o full
    for how in "interp full.dsl" "run full.dsl" "explain E0601" "explain" "--emit=ir full.dsl" "--emit=tokens full.dsl" --help --version "run --help" \
        "opt --help" reference "test full.dsl" "bench full.dsl" "interp full.dsl -- --help" "notebook full.dsl -o -"; do
        "$DSLC" $how >/dev/full 2>shown && { echo "nobody says that the output of $how is lost"; exit 1; }
        grep -q 'cannot write' shown || { echo "what is wrong with $how?"; cat shown; exit 1; }
    done
    ./full >/dev/full 2>shown && { echo "the output of a program is lost"; exit 1; }
    for text in 'print(1)' ':help' '1 + 1' ':doc sqrt'; do
        echo "$text" | "$DSLC" repl >/dev/full 2>shown && { echo "the output of $text is lost"; exit 1; }
        grep -q 'cannot write' shown || { echo "what is wrong with $text?"; cat shown; exit 1; }
    done
fi
