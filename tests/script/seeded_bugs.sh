# Each seeded bug (tests/error/race_*, bounds_*, barrier_part_*) that can run is found by the interpreter too, in the kernel or function called
# `wrong`, and the one called `right` beside it is without fault: the interpreter comes to `wrong` only through it, and no message
# of the compiler points into it.
status=0
for f in "$ROOT"/tests/error/race_*.dsl "$ROOT"/tests/error/bounds_*.dsl "$ROOT"/tests/error/barrier_part_*.dsl; do
    name=$(basename "$f" .dsl)
    wrong=$(grep -n '^kernel wrong\|^fn wrong' "$f" | cut -d: -f1)
    places=$(sed -n "s/^$name\.dsl:\([0-9]*\):[0-9]*: .*/\1/p" "${f%.dsl}.err")
    [ -n "$places" ] || { echo "$name: no message"; status=1; }
    for line in $places; do
        [ "$line" -gt "$wrong" ] || { echo "$name: a message at line $line, in what is right"; status=1; }
    done
    grep -q '^launch\|^print' "$f" || continue # nothing in it runs
    timeout 60 "$DSLC" interp --races --stage=ir "$f" >out 2>err
    line=$(sed -n 's/.*\.dsl:\([0-9]*\):[0-9]*: error\[E06\(30\|31\|32\|01\)\].*/\1/p' err | head -1)
    [ -n "$line" ] || { echo "$name: the interpreter finds nothing"; cat err; status=1; continue; }
    [ "$line" -gt "$wrong" ] || { echo "$name: the interpreter complains about line $line, in what is right"; status=1; }
done
exit $status
