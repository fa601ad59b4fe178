# The tables in docs/ir.md are those of the compiler: else  dslc reference  prints what is to stand below the mark.
"$DSLC" reference >want
sed '1,/^<!-- dslc reference -->$/d' "$ROOT/docs/ir.md" >got
diff -u got want
