#!/bin/sh
# tools/docs.sh DSLC: prints docs/ir.md with what the compiler knows better filled in: the stages of docs/stages.dsl
# between the marks, and the tables below the last mark.  `make docs` writes it; tests/script/reference.sh compares.
dslc=$1
cd "$(dirname "$0")/.." || exit 1
sed '/^<!-- stages -->$/q' docs/ir.md
printf '```\n'
cat docs/stages.dsl
printf '```\n'
for stage in ir par loops c; do
    printf '\n`--emit=%s`:\n\n```\n' $stage
    "$dslc" --emit=$stage docs/stages.dsl | sed '/^main @main/,$d; /^static void script(void)$/,$d; /^static void script(void);$/d' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
    printf '```\n'
done
sed -n '/^<!-- end of stages -->$/,/^<!-- dslc reference -->$/p' docs/ir.md
"$dslc" reference
