# A C compiler that breaks off while it optimizes is asked again for less; other failures stay failures.
. "$ROOT/tests/script/lib.inc"
echo 'print(1 + 1)' >a.dsl
cat >cc1 <<'EOF'
#!/bin/sh
case "$*" in *-O1*) exec gcc "$@" ;; esac
echo "program.c:1:1: internal compiler error: Segmentation fault" >&2
exit 1
EOF
sed 's/\*-O1\*/*-O9*/' cc1 >cc2
chmod +x cc1 cc2
expect 0 "2" "$DSLC" run --cc=./cc1 a.dsl
# an internal error, which is ours to show
"$DSLC" run --cc=./cc2 a.dsl >shown 2>&1 </dev/null && exit 1
[ $? = 3 ] && grep -q "refused the generated code" shown || { cat shown; exit 1; }
sleep 0.5 # what removes temporary folders has had its time
kept=$(sed -n 's/.*kept in \(.*\)\/program.c/\1/p' shown)
grep -q "int main" "$kept/program.c" || { echo "the C file was not kept"; exit 1; }
rm -rf "$kept"
