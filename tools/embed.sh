#!/bin/sh
# Turns the files named into a C table of their names, texts, and what they define: tools/embed.sh stdlib/*.dsl > stdlib_embed.c
# Bytes are written as numbers: no string is too long for a C compiler, and nothing needs to be escaped.
echo '#include "ast/ast.h"'
n=0
for f; do
    echo "static const char text_$n[] = {"
    od -An -v -td1 "$f" | sed 's/  */,/g; s/^,//; s/$/,/'
    echo '0};'
    n=$((n + 1))
done
echo 'static const StdlibFile files[] = {'
n=0
for f; do
    names=$(sed -nE 's/^(extern )?(fn|struct|const|kernel) ([A-Za-z_0-9]+).*/\3/p' "$f" | sort -u | tr '\n' ' ')
    echo "    {\"$f\", text_$n, \"$names\"},"
    n=$((n + 1))
done
echo '    {0, 0, 0}};'
echo 'const StdlibFile *stdlib_files(int *n) {'
echo "    *n = $n;"
echo '    return files;'
echo '}'
