# docs/ir.md shows what the compiler does; `make docs` mends it.
sh "$ROOT/tools/docs.sh" "$DSLC" >want
diff -u "$ROOT/docs/ir.md" want
