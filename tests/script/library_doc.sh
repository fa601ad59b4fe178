# docs/library.md: its files, its commands in order, and what these print.  "```sh NAME" needs the command NAME.
. "$ROOT/tests/script/lib.inc"
case $DSLC in */san/*) echo "skipped: a sanitized library needs a sanitized program"; exit 0 ;; esac
awk '/^```[a-z0-9]+ .*[.]/ { file = $2; next }
     /^```sh/   { file = "commands" ++n; needs = $2 ? $2 : "cc"; print needs >("needs" n); next }
     /^```text/ { file = "wanted" n; next }
     /^```/     { file = ""; next }
     file       { print >file }' "$ROOT/docs/library.md"
ln -s "$DSLC" dslc
PATH=$PWD:$PATH
export PKG_CONFIG_PATH=made LD_LIBRARY_PATH=made
n=1
while [ -f "commands$n" ]; do
    if command -v "$(sed 's/fortran/gfortran/' "needs$n")" >/dev/null; then
        sh -e "commands$n" >got 2>&1 || { cat got; exit 1; }
        diff "wanted$n" got || exit 1
    else echo "SKIPPED: no $(cat "needs$n")"; fi
    n=$((n + 1))
done
[ $n = 5 ] || { echo "$n"; exit 1; }
