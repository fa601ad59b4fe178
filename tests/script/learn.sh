# dslc tune --learn and --model: rules are made of what was measured, hold for programs that were not looked at, or are not made at all.
. "$ROOT/tests/script/lib.inc"
# what programs are like, and what was faster; rules are then made of it without running anything
lessons() { # name of the setting, features that programs have in turn, ratios
    i=0
    for ratio in $3; do
        i=$((i + 1))
        printf 'program p%s.dsl\nfeatures floats=%s %s=%s\ntrial %s %s\n' $i $((i % 3 + 4)) $2 $((i * 2)) $ratio "$1"
    done
}
model() { # its lines, behind the head
    { printf 'dslc-model 1\n'; cat; } >m.model
    expect 0 "$1" "$DSLC" tune --learn=m.model
}
rules() { grep -c '^rule' m.model; }
lessons "fuse no" gathers "1.2 1.3 1.25 1.1 0.7 0.72 0.69 0.74" | model "8 programs, 1 rules"
grep -q '^rule fuse no if gathers >= 10  # 0.72 of the time, of 3 programs' m.model || { echo "the rule:"; cat m.model; exit 1; }
cp m.model first.model
expect 0 "8 programs, 1 rules" "$DSLC" tune --learn=m.model
cmp m.model first.model || { echo "rules made anew are others"; exit 1; }
lessons "fuse no" gathers "0.7 0.72 0.69 0.74 1.2 1.3 1.25 1.1" | model "8 programs, 1 rules"
grep -q '^rule fuse no if gathers < 10 ' m.model || { echo "the rule, below:"; cat m.model; exit 1; }
# no rule: of too few programs; of too little; where nothing tells who gains; where who gains cannot be told of the others
lessons "fuse no" gathers "0.7 0.72" | model "0 rules"
lessons "fuse no" gathers "1 0.99 0.98 0.99 1 0.98 0.99 1" | model "0 rules"
{ for i in 1 2 3 4 5 6 7 8; do printf 'program p%s\nfeatures floats=3\ntrial %s fuse no\n' $i $([ $((i % 2)) = 0 ] && echo 0.7 || echo 1.5); done; } | model "0 rules"
lessons "fuse no" gathers "0.6 1.3 0.7 1.4 0.6 1.3 0.7 1.4" | model "0 rules"
# two settings, of which that comes first which brings more; and one pass in each program
{ lessons "without-pass fuse" bits "0.9 0.9 0.9 0.9 0.9"; lessons "schedule dynamic" bits "0.5 0.5 0.5 0.5 0.5"
  lessons "with-pass cse@lanes.1" bits "0.8 0.8 0.8 0.8 0.8"; } | model "15 programs, 3 rules"
sed -n 's/^rule \([^ ]*\).*/\1/p' m.model | tr '\n' ' ' >order
[ "$(cat order)" = "schedule with-pass without-pass " ] || { echo "the order of rules:"; cat order; exit 1; }
# what is used, and why; a program that is not so stays as it is
cat >bits.dsl <<'EOF'
fn count(x: int) -> int {
    var n = 0
    for k in 0:32 { n += (x >> k) & 1 }
    return n
}
print(sum(count(i) for i in 0:20000))
EOF
echo 'print(sum(sqrt(f64(i)) for i in 0:9))' >plain.dsl
sed -i 's/ if .*/ if bits >= 2/' m.model
expect 0 "m.model:4: schedule dynamic, since bits >= 2 (2)" "$DSLC" run --model=m.model --explain-choices bits.dsl
grep -q "m.model:5: with-pass cse@lanes.1, since" shown && ! grep -q "without-pass" shown || { echo "one pass:"; cat shown; exit 1; }
expect 0 "$("$DSLC" interp bits.dsl)" "$DSLC" run --model=m.model bits.dsl
expect 0 "" "$DSLC" run --model=m.model --explain-choices plain.dsl
! grep -q since shown || { echo "a rule for a program that is not so"; cat shown; exit 1; }
"$DSLC" build --keep-c --thread-cost=1 --model=m.model bits.dsl -o x && grep -q 'schedule(dynamic)' bits.c || { echo "not in the C"; exit 1; }
"$DSLC" build --keep-c --thread-cost=1 --model=m.model --choose=schedule=guided bits.dsl -o x && grep -q 'schedule(guided)' bits.c ||
    { echo "the command line does not go before the model"; exit 1; }
"$DSLC" build --keep-c --model=m.model plain.dsl -o x && mv plain.c learned.c && "$DSLC" build --keep-c plain.dsl -o x && cmp plain.c learned.c ||
    { echo "a program for which there is no rule is another"; exit 1; }
# FILE.tune goes before the model, unless it is of another program
echo 'schedule guided' >bits.dsl.tune
expect 0 "bits.dsl.tune: schedule guided" "$DSLC" run --model=m.model --explain-choices bits.dsl
! grep -q since shown || { echo "the model, too"; exit 1; }
expect 0 "since bits" "$DSLC" run --model=m.model --no-tune --explain-choices bits.dsl
echo 'source 123' >bits.dsl.tune
expect 0 "since bits" "$DSLC" run --model=m.model --explain-choices bits.dsl
grep -q W0741 shown || { echo "the stale file is not told"; exit 1; }
rm bits.dsl.tune
# a program that is none is told as without a model
echo 'print(x' >bad.dsl
"$DSLC" run bad.dsl >want 2>&1
"$DSLC" run --model=m.model bad.dsl >got 2>&1
cmp want got || { echo "other messages"; diff want got; exit 1; }
# models that are none
wrong() { # what is said, lines
    printf "$2" >w.model
    expect 1 "$1" "$DSLC" run --model=w.model bits.dsl
}
head='dslc-model 1\n'
wrong "w.model:1:1: error[E0744]: 'dslc-model 2' is no line of a model" 'dslc-model 2\n'
wrong "this dslc reads models of version 1" 'dslc-model 2\n'
wrong "a model begins with 'dslc-model 1'" '# a comment\nrule fuse no if floats >= 1\n'
wrong "w.model:2:1: error[E0744]: 'what is it' is no line of a model" "${head}what is it\n"
wrong "'flots' is no feature: did you mean 'floats'?" "${head}rule fuse no if flots >= 1\n"
wrong "it is: rule KEY VALUE if FEATURE >= N, or < N" "${head}rule fuse no if floats > 1\n"
wrong "it is: rule KEY VALUE if FEATURE >= N, or < N" "${head}rule fuse no if floats >= many\n"
wrong "it is: rule KEY VALUE if FEATURE >= N, or < N" "${head}rule fuse no\n"
wrong "it belongs behind a line 'program NAME'" "${head}trial 0.9 fuse no\n"
wrong "it is: trial RATIO KEY VALUE" "${head}program p\ntrial 0 fuse no\n"
wrong "it is: trial RATIO KEY VALUE" "${head}program p\ntrial inf fuse no\n"
wrong "it is: features NAME=N ..." "${head}program p\nfeatures floats\n"
wrong "error[E0740]: 'fuze no' is no setting" "${head}rule fuze no if floats >= 1\n"
wrong "fuse takes yes no" "${head}rule fuse perhaps if floats >= 1\n"
wrong "there is no pass 'lics': did you mean 'licm'?" "${head}program p\ntrial 0.9 without-pass lics\n"
wrong "cannot read 'w.model': it is empty" "# nothing\n"
expect 1 "cannot read 'none.model': No such file" "$DSLC" run --model=none.model bits.dsl
printf 'dslc-model 1\nmachine Difference Engine, 1 cores\nrule fuse no if floats >= 0\n' >w.model
expect 0 "warning[W0741]: 'w.model' is not used: it was made on another machine (Difference Engine, 1 cores)" "$DSLC" run --model=w.model bits.dsl
expect 1 "cannot write 'w.model': it was made on another machine" "$DSLC" tune --learn=w.model bits.dsl
printf 'dslc-model 2\n' >w.model
expect 1 "E0744" "$DSLC" tune --learn=w.model bits.dsl
mkdir folder.model
expect 1 "cannot write 'folder.model': it is a folder" "$DSLC" tune --learn=folder.model bits.dsl
expect 2 "no input" "$DSLC" tune
# from programs to a file: each is there once, with what it is like; tune begins with what the rules say
cat >slow.dsl <<'EOF'
fn count(x: int) -> int {
    var n = 0
    for k in 0:32 { n += (x >> k) & 1 }
    return n
}
var all = 0
for turn in 0:20 { all += sum(count(i) for i in 0:200000) }
print(all)
EOF
cat >spread.dsl <<'EOF'
kernel spread(h: inout f64[k], x: f64[n], at: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 { atomic h[at[i]] += max(x[i - 1], x[i + 1]) / 2 }
}
let x = [sqrt(f64(i)) for i in 0:100000]
var h = zeros(f64, 10)
for turn in 0:40 { launch spread[ceildiv(100000, 256), 256](h, x, [i % 10 for i in 0:100000]) }
print(h)
EOF
expect 0 "n.model: 2 programs" "$DSLC" tune --learn=n.model --budget=1 slow.dsl spread.dsl
expect 0 "2 programs" "$DSLC" tune --learn=n.model --budget=1 slow.dsl
[ "$(grep -c '^program ' n.model)" = 2 ] && grep -q '^features .*bits=2' n.model && grep -q '^trial [0-9.]* cc-level -O2' n.model ||
    { echo "what was learned:"; cat n.model; exit 1; }
for feature in launches=1 atomics=1 scatters=1 neighbours=2 clamps=1 functions=1 branches=1 outer-serial=2 rank=1 extent=16; do
    sed -n '/^program spread/,$p' n.model | grep -q "^features .*$feature" || { echo "no $feature:"; cat n.model; exit 1; }
done
expect 0 "model          2 settings" "$DSLC" tune --model=m.model --budget=1 slow.dsl
expect 0 "" "$DSLC" run slow.dsl
