# dslc notebook: what it writes, compares, keeps, and what it does when that cannot be done.
. "$ROOT/tests/script/lib.inc"
must() { "$@" || { echo "this does not hold: $*"; exit 1; }; }
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
cat >a.dsl <<'E'
# %% [markdown]
# # A page
# %% First
let x = linspace(0.0, 1.0, 5)
print("sum", sum(x), 12)
# %% Second
max(x) * 3.25
E

# ---- outputs are kept and compared
expect 1 "'dslc notebook --update a.dsl' keeps" "$DSLC" notebook --check a.dsl
expect 0 "" "$DSLC" notebook --update a.dsl
[ ! -s shown ] || { echo "it should be quiet:"; cat shown; exit 1; }
expect 0 "" "$DSLC" notebook --check a.dsl
cp a.out whole.out
sed 's/3.25/3.26/' whole.out >a.out # one digit
expect 1 "-= 3.26 : f64" "$DSLC" notebook --check a.dsl
expect 1 "+= 3.25 : f64" "$DSLC" notebook --check a.dsl
expect 1 "@@ a.dsl:7, a.out:6: Second @@" "$DSLC" notebook --check a.dsl
expect 1 "E0765" "$DSLC" notebook --check a.dsl
! grep -q 'tolerance=1e' shown || { echo "a digit is no rounding"; cat shown; exit 1; }
sed 's/3.25/3.2500001/' whole.out >a.out # as on another machine
expect 1 "{tolerance=1e-07} in the cell's title lets them" "$DSLC" notebook --check a.dsl
sed 's/12/13/' whole.out >a.out
expect 1 "-| sum 2.5 13" "$DSLC" notebook --check a.dsl
sed 's/Second/Third/' whole.out >a.out
expect 1 "@@ no longer there, a.out:6: Third @@" "$DSLC" notebook --check a.dsl
sed 's/2.5 12/2.5000000000001 12/' whole.out >a.out
expect 0 "" "$DSLC" notebook --check a.dsl
cp a.out almost.out
expect 0 "" "$DSLC" notebook --update a.dsl
must cmp a.out almost.out # what agrees stays as it was
(echo '<<<<<<< ours' && cat whole.out) >a.out
expect 1 "E0764" "$DSLC" notebook --check a.dsl
(cat whole.out && echo '<<<<<<< ours') >a.out
expect 0 "" "$DSLC" notebook --update a.dsl # writes it anew
must cmp a.out whole.out
echo "something else" >a.out
expect 1 "holds no outputs of a notebook" "$DSLC" notebook --update a.dsl
must grep -q else a.out
printf '\000\001\377' >a.out
expect 1 "E0102" "$DSLC" notebook --check a.dsl
: >a.out
expect 1 "not in the file: First" "$DSLC" notebook --check a.dsl
# What is no regular file is not read: that might never end.
rm a.out && mkfifo a.out
expect 1 "cannot read 'a.out': it is no regular file" timeout 20 "$DSLC" notebook --check a.dsl
expect 1 "cannot write 'a.out': it is no regular file" timeout 20 "$DSLC" notebook --update a.dsl
rm a.out && cp whole.out a.out
expect 1 "cannot read 'nope.dsl'" "$DSLC" notebook --check nope.dsl
! grep -q 'nope.out' shown || { cat shown; exit 1; }
# A carriage return that was printed is kept; those of a file from elsewhere are not counted.
printf 'print("50 %%\\r")\nprint("100 %%")\n' >return.dsl
expect 0 "" "$DSLC" notebook --update return.dsl
expect 0 "" "$DSLC" notebook --check return.dsl
sed -i 's/$/\r/' return.out
expect 0 "" "$DSLC" notebook --check return.dsl

# ---- a cell that fails: the others run, nothing is kept
sed 's/max(x)/no_such(x)/' a.dsl >b.dsl
expect 1 "b.dsl:7:1: error[E0201]" "$DSLC" notebook b.dsl
[ -s b.html ] || { echo "no page with an error in it"; exit 1; }
cp whole.out b.out
expect 1 "E0766" "$DSLC" notebook --update b.dsl
must cmp whole.out b.out
printf '# %%%%\nlet = 1\n# %%%%\nprint("after it")\n' >c.dsl
expect 1 "E0101" "$DSLC" notebook c.dsl -o c.html
must grep -q 'after it' c.html

# ---- of a picture that is no longer drawn the first lines are shown
printf '# %%%%\nlet x = linspace(0.0, 1.0, 50)\n# %%%% Its form\nplot(x, x)\n' >pic.dsl
if command -v gnuplot >/dev/null; then
    expect 0 "" "$DSLC" notebook --update pic.dsl
    sed -i 's/plot(x, x)/plot(x, y)/' pic.dsl
    expect 1 "-: ... 46 more lines of the picture" "$DSLC" notebook --check pic.dsl
    must [ "$(grep -c '^-' shown)" -le 12 ]
    must grep -q '^+! .*E0201' shown
fi

# ---- where it goes
expect 0 "" "$DSLC" notebook a.dsl
must [ -s a.html ]
expect 0 "" "$DSLC" notebook a.dsl -o a.ipynb
must [ -s a.ipynb ]
expect 1 "a Jupyter notebook: -o a.ipynb" "$DSLC" notebook a.dsl -o a.pdf
expect 1 "E0763" "$DSLC" notebook a.dsl -o a.pdf
cp a.dsl other.dsl
expect 0 "" "$DSLC" notebook a.dsl other.dsl -o pages/
must test -s pages/a.html
must test -s pages/other.html
expect 0 "" "$DSLC" notebook a.dsl -o pages
expect 1 "E0702" "$DSLC" notebook a.dsl -o no/such/folder/a.html
cp a.dsl page.html
expect 1 "it is the source" "$DSLC" notebook page.html -o page.html
must cmp a.dsl page.html
mkdir d1 d2
cp a.dsl d1/x.dsl
cp a.dsl d2/x.dsl
expect 1 "cannot write 'two/x.html': 'd1/x.dsl' and 'd2/x.dsl' both write it" "$DSLC" notebook d1/x.dsl d2/x.dsl -o two/
expect 1 "E0702" "$DSLC" notebook d1/x.dsl d2/x.dsl
must [ ! -e two ]
must [ ! -e x.html ]
mkdir dir.html
expect 1 "E0702" "$DSLC" notebook a.dsl -o dir.html
expect 2 "more than one" "$DSLC" notebook a.dsl b.dsl -o x.html
expect 1 "E0701" "$DSLC" notebook nothing.dsl
must [ ! -e nothing.html ]
expect 2 "E0707" "$DSLC" notebook
printf 'print(1)\n\000\n' >nul.dsl
expect 1 "E0102" "$DSLC" notebook nul.dsl
printf '' >empty.dsl
expect 0 "" "$DSLC" notebook empty.dsl
expect 0 "" "$DSLC" notebook --update empty.dsl
expect 0 "" "$DSLC" notebook --check empty.dsl
printf 'for i in 0:30000 { print(i) }\n' >long.dsl
{ "$DSLC" notebook long.dsl -o - 2>broken; echo "status $?" >>broken; } | true
must grep -q 'E0702' broken
must grep -q 'status 1' broken
[ -z "$(ls | grep tmp)" ] || { echo "left-overs:"; ls; exit 1; }

# ---- paths: cells run in the folder of the script
mkdir -p sub lib
echo 'fn seven() -> int = 7' >sub/near.dsl
echo 'fn eight() -> int = 8' >lib/far.dsl
cat >sub/paths.dsl <<'E'
import "near.dsl"
import "far.dsl"
# %%
save("x.npy", [1.0, 2.0])
# %%
let x: f64[n] = load("x.npy")
sum(x) + seven() + eight()
E
expect 0 "" "$DSLC" notebook -I lib sub/paths.dsl -o p.html
must grep -q '18.0 : f64' p.html
must [ -e sub/x.npy ]
must [ ! -e x.npy ]

# ---- words that are names where they stand have no colour
cat >names.dsl <<'E'
# %%
kernel step(out: out int[n], test: int) {
    shared shared: int[4]
    if thread.x < n { out[thread.x] = test; barrier }
}
let kernel = 3
E
expect 0 "" "$DSLC" notebook names.dsl -o names.html
must grep -q '<i class=k>kernel</i> <i class=f>step</i>(out: <i class=k>out</i> <i class=t>int</i>\[n\], test:' names.html
must grep -q '<i class=k>shared</i> shared:' names.html
must grep -q 'out\[thread.x\] = test; <i class=k>barrier</i> }' names.html
must grep -q '<i class=k>let</i> kernel = ' names.html

# ---- -D
printf '# %%%%\nlet y = 1\n# %%%%\nconst n = 3\n# %%%%\nn * 11\n' >d.dsl
expect 0 "" "$DSLC" notebook -D n=5 d.dsl -o d.html
must grep -q '55 : int' d.html
expect 1 "E0750" "$DSLC" notebook -D m=5 d.dsl -o d.html

# ---- a cell is stopped by Ctrl-C, and with it the notebook: nothing is written
printf '# %%%%\nvar i = 0\nwhile i >= 0 { i = (i + 1) %% 1000 }\n' >loop.dsl
expect 130 "nothing was written" timeout --preserve-status -s INT -k 20 3 "$DSLC" notebook loop.dsl -o loop.html
must [ ! -e loop.html ]

# How far numbers differ, in words that fit
printf '# %%%% One\nprint(2.5)\n' >far.dsl
"$DSLC" notebook --update far.dsl >/dev/null 2>&1
while IFS=: read -r kept words; do
    sed -i "s/^| .*/| $kept/" far.out
    grep -q -e "$kept" far.out || { echo "no $kept in far.out"; cat far.out; exit 1; }
    expect 1 "only numbers differ, $words (tolerance" "$DSLC" notebook --check far.dsl
done <<'EOF3'
2.5000001:by at most 4e-08 of their size
2.6:by at most 3.8 %
3.5:by at most 29 %
100.0:one is up to 40 times the other
1e+9:one is more than 1000 times the other
-2.5:some in their sign, or from 0
EOF3
