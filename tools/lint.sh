#!/bin/sh
# Which folder may use which, by its includes and by the symbols it links to, and a few promises that are cheap to check.
# Prints what is wrong.  B is the folder of objects, as in the Makefile; without objects only includes are looked at.
cd "$(dirname "$0")/.." || exit 1
B=${B:-build}
bad=0
complain() { echo "lint: $1"; bad=1; }

# folder : folders that its files may use.  A folder may only name folders above it: so there is no circle.
RULES='
runtime:
base:
ast: base
grammar: base ast
frontend: base runtime ast grammar
ir: base runtime
analysis: base runtime ir
interp: base runtime ir
opt: base ir
opt/loops: base ir analysis opt
opt/pairs: base ir opt
opt/ranks: base ir analysis opt
lower: base ir analysis opt opt/loops
lower/ast: base ast frontend ir analysis
opt/par: base ir analysis opt
opt/prove: base ir analysis opt
opt/tensor: base ir analysis opt
ad: base ir analysis opt
codegen: base runtime ir analysis
codegen/c: base runtime ir analysis codegen
codegen/llvm: base runtime ir analysis codegen
codegen/stablehlo: base runtime ir analysis codegen
pipeline: base ir opt opt/par opt/prove opt/tensor opt/loops opt/pairs opt/ranks lower ad
driver: base runtime ast grammar frontend ir interp lower/ast opt codegen codegen/c codegen/llvm codegen/stablehlo pipeline
accuracy: base ast frontend ir interp opt
export: base ast frontend ir lower/ast opt codegen codegen/c codegen/llvm pipeline driver
repl: base runtime ast grammar frontend ir interp lower/ast opt codegen codegen/c codegen/llvm pipeline driver
notebook: base runtime ast grammar frontend ir driver repl
cli: base runtime ast frontend ir interp opt pipeline driver accuracy export repl notebook
'
FOLDERS=$(echo "$RULES" | sed -n 's/:.*//p')
mkdir -p "$B"

order_of_rules() {
    echo "$RULES" | awk -F: 'NF > 1 {
        n = split($2, used, " ")
        for (i = 1; i <= n; i++)
            if (!(used[i] in above)) print "lint: " $1 "/ may not use " used[i] "/: it does not stand above it"
        above[$1]
    }'
}

includes() {
    for folder in $FOLDERS; do
        for file in "$folder"/*.[chly]; do
            [ -f "$file" ] && sed -n 's|^#include "\(.*\)/[^/]*"$|include '"$file $folder"' \1|p' "$file"
        done
    done | sed 's|/rules$||' | sort -u
}

# file, its folder, folder of the file that defines what it uses, the symbol
symbols() {
    for folder in $FOLDERS; do
        for object in "$B/$folder"/*.o; do
            name=${object#"$B/"}
            case $object in
            *.tab.o | *.yy.o) echo "$object" ;;
            *) [ -f "${name%.o}.c" ] && echo "$object" ;; # others are left from sources that are gone
            esac
        done
    done | xargs -r nm -A -g | sed "s|^$B/||" | awk '
        { file = $1; sub(/\.o:.*/, "", file); folder = file; sub(/\/[^\/]*$/, "", folder) }
        $(NF - 1) ~ /^[TDBRC]$/ { defined[$NF] = folder }
        $(NF - 1) == "U" { n++; user[n] = file; from[n] = folder; symbol[n] = $NF }
        END { for (i = 1; i <= n; i++) if (symbol[i] in defined && defined[symbol[i]] != from[i])
                  print "symbol", user[i], from[i], defined[symbol[i]], symbol[i] }'
}

{
    order_of_rules
    { includes; symbols; } | awk -v rules="$RULES" '
        BEGIN { n = split(rules, rule, "\n")
                for (i = 1; i <= n; i++) { split(rule[i], half, ":"); m = split(half[2], used, " ")
                                           for (k = 1; k <= m; k++) may[half[1], used[k]] } }
        $3 != $4 && !(($3, $4) in may) {
            print "lint: " $2 " uses " $4 "/" ($1 == "symbol" ? " (" $5 ")" : "") "; " $3 "/ may not" }'
} >"$B/lint.out"
[ ! -s "$B/lint.out" ] || { cat "$B/lint.out"; bad=1; }

# No mutable globals in the compiler (the runtime is a process's own, and keeps a few on purpose).
for file in base/*.c ast/*.c frontend/*.c ir/*.c analysis/*.c lower/*.c lower/*/*.c opt/*.c opt/*/*.c ad/*.c codegen/*.c codegen/*/*.c pipeline/*.c; do
    [ -f "$file" ] || continue
    grep -nE '^(static )?[a-zA-Z_][a-zA-Z_0-9 *]*[ *][a-zA-Z_0-9]+(\[[^]]*\])*( = .*)?;$' "$file" |
        grep -vE '\bconst\b|\btypedef\b|\breturn\b|\bextern\b|^[0-9]+:(struct|enum|union|goto) ' |
        sed "s|^|lint: mutable global? $file:|"
done >"$B/lint.out"
[ ! -s "$B/lint.out" ] || { cat "$B/lint.out"; bad=1; }

# A code is that of one diagnostic.
sed -n 's/^DIAG([A-Z_0-9]*, "\([EW][0-9]*\)".*/\1/p' base/diags.def | sort | uniq -d | sed 's/^/lint: base\/diags.def: two of /' >"$B/lint.out"
[ ! -s "$B/lint.out" ] || { cat "$B/lint.out"; bad=1; }

# Lines that fit beside each other (tables, .def and .rules, have rows as long as they need)
git ls-files "*.c" "*.h" "*.l" "*.y" 2>/dev/null | LC_ALL=C xargs awk 'length > 120 { print "lint: " FILENAME ":" FNR ": a line over 120 columns" }' >"$B/lint.out"
[ ! -s "$B/lint.out" ] || { cat "$B/lint.out"; bad=1; }

# What rules may say, one of them says.
for word in $(sed -n 's/^\(PREDICATE\|SHAPED*\)([A-Z_]*, "\([^"]*\)".*/\2/p' opt/predicates.def opt/shapes.def); do
    grep -q "($word[ )]" opt/rules/*.rules || complain "opt: no rule says $word"
done

# Files of the top folder are named here, so that what a program left behind does not get in.
for file in $(git ls-files 2>/dev/null | grep -v /); do
    case $file in
    .gitignore | CHANGELOG.md | LICENSE | Makefile | README.md | dev) ;;
    *) complain "$file does not belong in the top folder" ;;
    esac
done
exit $bad
