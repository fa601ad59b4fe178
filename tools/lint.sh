#!/bin/sh
# Which folder may include which, and a few promises that are cheap to check.  Prints what is wrong.
cd "$(dirname "$0")/.." || exit 1
bad=0
complain() { echo "lint: $1"; bad=1; }

# folder : folders that its files may include (besides itself)
RULES='
base:
grammar: base frontend
frontend: base runtime
ir: base runtime
lower: base frontend ir opt
opt: base ir
opt/par: base ir opt
opt/tensor: base ir opt
ad: base ir opt
codegen/c: base ir runtime
driver: base frontend grammar ir lower opt ad codegen/c runtime
repl: base frontend ir lower opt codegen/c runtime driver
notebook: base frontend ir runtime driver repl
export: base frontend ir lower opt codegen/c driver
runtime:
'
echo "$RULES" | while IFS=: read -r folder allowed; do
    [ -n "$folder" ] || continue
    for file in "$folder"/*.c "$folder"/*.h "$folder"/*.l "$folder"/*.y; do
        [ -f "$file" ] || continue
        sed -n 's/^#include "\(.*\)\/[^/]*"$/\1/p' "$file" | sort -u | while read -r used; do
            case " $folder $allowed " in
            *" $used "* | *" ${used%/rules} "*) ;;
            *) echo "lint: $file includes from $used/; $folder/ may include only: $allowed" ;;
            esac
        done
    done
done >build/lint.out
[ ! -s build/lint.out ] || { cat build/lint.out; bad=1; }

# No mutable globals in the compiler (the runtime is a process's own, and keeps a few on purpose).
for file in base/*.c frontend/*.c ir/*.c lower/*.c opt/*.c opt/*/*.c codegen/*/*.c; do
    [ -f "$file" ] || continue
    grep -nE '^(static )?[a-zA-Z_][a-zA-Z_0-9 *]*[ *][a-zA-Z_0-9]+(\[[^]]*\])*( = .*)?;$' "$file" |
        grep -vE '\bconst\b|\btypedef\b|\breturn\b|\bextern\b|^[0-9]+:(struct|enum|union|goto) ' |
        sed "s|^|lint: mutable global? $file:|"
done >build/lint.out
[ ! -s build/lint.out ] || { cat build/lint.out; bad=1; }

# Files of the top folder are named here, so that what a program left behind does not get in.
for file in $(git ls-files 2>/dev/null | grep -v /); do
    case $file in
    .gitignore | CHANGELOG.md | LICENSE | Makefile | README.md | dev) ;;
    *) complain "$file does not belong in the top folder" ;;
    esac
done
exit $bad
