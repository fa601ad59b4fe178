# dslc tune: the fastest of several ways is kept beside the program and used; broken and stale files say what they are.
. "$ROOT/tests/script/lib.inc"
cat >a.dsl <<'END'
const n = 200
const side = 4
kernel scale(y: inout f64[m], by: f64) {
    shared s: f64[side]
    let i = block.x * side + thread.x
    s[thread.x] = if i < m { y[i] } else { 0.0 }
    barrier
    if i < m { y[i] = s[side - 1 - thread.x] * by }
}
var y = [f64(i) for i in 0:n]
launch scale[ceildiv(n, side), side](y, 0.5)
for turn in 0:20000 { launch scale[ceildiv(n, side), side](y, 1.0) } # long enough to be timed on any machine
print(sum(y))
print("time", time())
END
rm -f a.dsl.tune
# one question for sure, then the time is up
expect 0 "a.dsl.tune" "$DSLC" tune --budget=1 --vary=side=8 a.dsl
grep -q '^source ' a.dsl.tune && grep -q '^machine ' a.dsl.tune && grep -q '^# The program as it is takes' a.dsl.tune ||
    { echo "what is written:"; cat a.dsl.tune; exit 1; }
expect 0 "" "$DSLC" run a.dsl
grep -q warning shown && { echo "a fresh file is not stale"; cat shown; exit 1; }
# what a file says is done, and the same is printed
header=$(grep -E '^(source|machine) ' a.dsl.tune)
cat >b.tune <<END
$header
coarsen-thread scale=x:3   # 0.50
coarsen-block scale=x:2
define side=8
threads 1
END
cp b.tune a.dsl.tune
expect 0 "9950.0" "$DSLC" run a.dsl
expect 0 "" "$DSLC" build --keep-c a.dsl -o a.exe
[ "$(grep -c "double s[0-9]*\[8\]" a.c)" -ge 2 ] || { echo "the settings are not in the C:"; grep "\[8\]" a.c; exit 1; }
expect 0 "" "$DSLC" build --no-tune --keep-c a.dsl -o a.exe
! grep -q 'double s\[8\]' a.c || { echo "--no-tune does not help"; exit 1; }
# the command line goes before the file
expect 0 "" "$DSLC" build -D side=2 --keep-c a.dsl -o a.exe
! grep -q 'double s\[8\]' a.c || { echo "-D does not go before the file"; exit 1; }
# choices, too
{ echo "$header"; echo "lane-rows 8"; echo "specialize launches"; echo "schedule dynamic"; echo "cc-level -O2"; } >a.dsl.tune
expect 0 "9950.0" "$DSLC" run a.dsl
expect 0 "" "$DSLC" build --keep-c --thread-cost=1 a.dsl -o a.exe
grep -q "schedule(dynamic)" a.c || { echo "the choice is not in the C"; grep omp a.c; exit 1; }
expect 0 "" "$DSLC" build --keep-c --thread-cost=1 --choose=schedule=static a.dsl -o a.exe
! grep -q "schedule(dynamic)" a.c || { echo "--choose does not go before the file"; exit 1; }
# stale: another program, another machine
{ echo '# changed'; cat a.dsl; } >c.dsl && mv c.dsl a.dsl
expect 0 "warning[W0741]: 'a.dsl.tune' is not used: it was made for another version of the program" "$DSLC" run a.dsl
expect 0 "W0741" "$DSLC" run a.dsl
expect 0 "9950.0" "$DSLC" run --no-tune a.dsl
! grep -q W0741 shown || { echo "--no-tune warns"; exit 1; }
printf 'machine Difference Engine, 1 cores\n' >a.dsl.tune
expect 0 "on another machine (Difference Engine, 1 cores)" "$DSLC" run a.dsl
# broken
printf '# mine\ncoarsen-thread scale=w:3\n' >a.dsl.tune
expect 1 "a.dsl.tune:2:1: error[E0740]: 'coarsen-thread scale=w:3' is no setting" "$DSLC" run a.dsl
expect 1 "E0740" "$DSLC" build a.dsl -o a.exe
printf 'fuse perhaps\n' >a.dsl.tune
expect 1 "'fuse perhaps' is no setting" "$DSLC" run a.dsl
expect 1 "fuse takes yes no" "$DSLC" run a.dsl
wrong() { # line, text in what is said about it
    printf '%s\n' "$1" >a.dsl.tune
    expect 1 "$2" "$DSLC" run a.dsl
}
wrong xyzzy "'xyzzy' is no setting"
wrong xyzzy "'dslc explain E0740' lists the settings"
wrong 'fuze yes' "did you mean 'fuse'?"
wrong 'threads 0' "threads takes a number from 1 to 4096"
wrong 'threads 99999999999999' "E0740"
printf 'x\033[31m\200\001 y\n' >a.dsl.tune
expect 1 "'x\\x1b[31m\\x80\\x01 y' is no setting" "$DSLC" run a.dsl
for key in coarsen-block define threads cc fuse schedule; do expect 0 "  $key " "$DSLC" explain E0740; done
# kernels that do not exist
wrong 'coarsen-thread scael=x:2' "a.dsl.tune:1:1: error[E0743]: there is no kernel 'scael' to be coarsened"
wrong 'coarsen-block scael=x:2' "did you mean 'scale'?"
rm a.dsl.tune
expect 1 "E0743" "$DSLC" run --coarsen-thread=nosuch=x:2 a.dsl
# what is no C compiler
wrong 'cc rm' "error[E0722]: the C compiler '$(command -v rm)' failed: "
wrong 'cc /bin/true' "error[E0722]: the C compiler '/bin/true' failed: it makes no executable"
wrong 'cc /bin/true' "a line 'cc' in FILE.tune"
head -c 20 b.tune >a.dsl.tune
expect 0 "W0741" "$DSLC" run a.dsl
rm a.dsl.tune
# what cannot be written is not tuned at all
mkdir a.dsl.tune
expect 1 "cannot write 'a.dsl.tune': it is a folder" "$DSLC" tune a.dsl
! grep -q takes shown || { echo "it ran the program all the same"; exit 1; }
rmdir a.dsl.tune
ln -s /dev/full a.dsl.tune
expect 1 "cannot write 'a.dsl.tune': it is no ordinary file" "$DSLC" tune a.dsl
rm a.dsl.tune
# a short program is run several times for each measurement; what is much too short is not compared
expect 0 "runs at a time are compared" "$DSLC" tune --budget=1 --vary=side=8 a.dsl
rm a.dsl.tune
echo 'print("time", 1e-6)' >short.dsl
expect 1 "what counts takes 0.001 ms, which is little beside chance" "$DSLC" tune --measure=time short.dsl
# a failing program, and one that never prints the same, leave no file
echo 'let x = [1]
let i = int(time()) * 0 + 3
print(x[i])' >bad.dsl
expect 1 "E0742" "$DSLC" tune bad.dsl
expect 1 "it fails, or does not print the time" "$DSLC" tune --measure=seconds a.dsl
expect 0 "a.dsl.tune" "$DSLC" tune --budget=1 --measure=time a.dsl
rm a.dsl.tune
[ ! -e bad.dsl.tune ] || { echo "a file for a failing program"; exit 1; }
expect 2 "no input" "$DSLC" tune
expect 1 "there is no constant 'sidee' to be given a value" "$DSLC" tune --vary=sidee=8 a.dsl
for bad in side side= =8 side=8, side=8,,4 side=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17; do
    expect 2 "it takes NAME=V,V,..., up to 16 values" "$DSLC" tune --vary=$bad a.dsl
done
for bad in 0 -3 99999999999999999999; do expect 2 "it takes a number from 1 on" "$DSLC" tune --budget=$bad a.dsl; done
[ ! -e a.dsl.tune ] || { echo "a file after an error"; exit 1; }
