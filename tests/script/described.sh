# Each function of the library is described: its name stands between backquotes in the documents.
for doc in language derivatives gpu library notebook; do cat "$ROOT/docs/$doc.md"; done |
    awk '/^```/ { code = !code; next } !code' | tr '\n' ' ' |
    grep -o '`[^`]*`' | grep -oE '[a-z_][A-Za-z0-9_]*' | sort -u >described
sed -nE 's/^fn ([a-z][A-Za-z0-9_]*)\(.*/\1/p' "$ROOT"/stdlib/*.dsl | sort -u >names
sed -nE 's/^BUILTIN\([A-Za-z0-9_]+, "([a-z][A-Za-z0-9_]*)".*/\1/p' "$ROOT/frontend/builtins.def" | sort -u >>names
[ "$(wc -l <names)" -gt 200 ] || { wc -l names; exit 1; }
sort -u names | comm -23 - described >missing
[ ! -s missing ] || { echo "no document says what these do:"; cat missing; exit 1; }
