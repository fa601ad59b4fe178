# The documents in steps: their files, their commands in order, and what these print.  "```dsl NAME", "```c NAME", ... is a file,
# "```sh" a command, "```sh NAME" one that needs the command NAME, "```text" behind it what it prints.
. "$ROOT/tests/script/lib.inc"
case $DSLC in */san/*) echo "skipped: a sanitized library needs a sanitized program"; exit 0 ;; esac
mkdir bin && ln -s "$DSLC" bin/dslc
PATH=$PWD/bin:$PATH
export PKG_CONFIG_PATH=made LD_LIBRARY_PATH=made

steps() { # document, commands in it
    mkdir "$1" && cd "$1" || exit 1
    awk '/^```[a-z0-9]+ .*[.]/ { file = $2; next }
         /^```sh/   { file = "commands" ++n; needs = $2 ? $2 : "cc"; print needs >("needs" n); next }
         /^```text/ { file = "wanted" n; next }
         /^```/     { file = ""; next }
         file       { print >file }' "$ROOT/docs/$1.md"
    n=1
    while [ -f "commands$n" ]; do
        if command -v "$(sed 's/fortran/gfortran/' "needs$n")" >/dev/null; then
            sh -e "commands$n" >got 2>&1 || { cat got; exit 1; }
            [ -f "wanted$n" ] || : >"wanted$n" # it prints nothing
            diff "wanted$n" got || exit 1
        else echo "SKIPPED: no $(cat "needs$n")"; fi
        n=$((n + 1))
    done
    [ $n = $(($2 + 1)) ] || { echo "$1 has $((n - 1)) steps"; exit 1; }
    cd ..
}
steps library 4
steps tutorial 8
steps derivatives 15
steps pairs 1
steps stablehlo 2
steps accuracy 1
