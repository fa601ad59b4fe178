#!/bin/sh
# tools/columns.sh [SEED [TABLE]]: has every column of every table a reader, and a test that sees when it says something else?
# In a copy of the checkout each column is altered in one row, then in three, then in ten, chosen at random, until the build or
# the tests that are named here for the column see it.  Prints what saw it; a column whose alterations nobody sees has no
# reader or no test.  A column of a table that is not named here is one, too.  About half an hour with ccache.
cd "$(dirname "$0")/.." || exit 1
seed=${1:-1} only=${2:-} here=$PWD work=$PWD/build/columns

# table, macro, number of the column, its name, tests (a pattern of tests/run.sh).  The first column of most is the
# enumerator, of which the build knows.
COLUMNS='
ir/ops.def OP 2 mnemonic ^ir
ir/ops.def OP 3 levels ^ir
ir/ops.def OP 4 operands ^ir
ir/ops.def OP 5 results ^ir
ir/ops.def OP 6 regions ^ir
ir/ops.def OP 7 traits ^pass
ir/ops.def OP 8 attributes ^ir
ir/ops.def OP 9 type-rule ^ir
ir/ops.def E2 4 C-template tests/codegen
ir/ops.def E2 5 LLVM tests/llvm
ir/ops.def OP 12 derivative unit/ad_rules
ir/ops.def OP 13 cost ^pass
ir/ops.def OP 14 doc script/reference
ir/attrs.def ATTR 2 name ^ir
ir/attrs.def ATTR 3 type ^ir
ir/attrs.def ATTR 4 doc script/reference
ir/kinds.def COMBINE 2 word ^ir
ir/kinds.def COMBINE 3 operation ^pass
ir/kinds.def COMBINE 4 where ^ir
ir/kinds.def COMBINE 5 identity ^run .*reduc
ir/kinds.def COMBINE 6 C-sign ^pass
ir/kinds.def LOOP 2 word ^ir
base/dtypes.def DTYPE 2 name ^ir
base/dtypes.def DTYPE 3 C-type tests/codegen
base/dtypes.def DTYPE 4 bytes ^ir\|unit/depend\|tests/codegen\|run .*half_
base/dtypes.def DTYPE 5 kind unit/
base/diags.def DIAG 2 code script/error_pages
base/diags.def DIAG 3 severity script/error_pages
base/diags.def DIAG 4 message script/error_pages\|error .*/[k-m]
base/diags.def DIAG 5 explanation script/error_pages
pipeline/passes.def PASS 1 name script/reference
pipeline/passes.def PASS 2 function ^pass
pipeline/passes.def PASS 3 stage ^pass
pipeline/passes.def PASS 4 leaves ^pass
pipeline/passes.def PASS 5 level script/reference
pipeline/passes.def PASS 6 when script/reference
pipeline/passes.def PASS 7 where script/reference
pipeline/passes.def PASS 8 doc script/reference
opt/choices.def CHOICE 2 name script/choices
opt/choices.def CHOICE 3 doc script/described
opt/choices.def CHOICE 4 usual script/choices
opt/choices.def CHOICE 5 other script/choices
opt/features.def FEATURE 2 name script/learn
opt/features.def FEATURE 3 doc script/error_pages
pipeline/orders.def ORDER 1 option script/orders
pipeline/orders.def ORDER 2 value script/orders
opt/predicates.def PREDICATE 2 name unit/rewrite
opt/predicates.def PREDICATE 3 arguments unit/rewrite
opt/predicates.def PREDICATE 4 doc script/reference
opt/shapes.def SHAPED 2 name unit/tensor_rules
opt/shapes.def SHAPED 3 operands unit/tensor_rules
opt/shapes.def SHAPED 4 attribute unit/tensor_rules
opt/shapes.def SHAPED 5 doc script/reference
opt/shapes.def SHAPE 2 name unit/tensor_rules
opt/shapes.def SHAPE 3 function unit/tensor_rules
opt/shapes.def SHAPE 4 arguments unit/tensor_rules
opt/shapes.def SHAPE 5 doc script/reference
ad/rules/elementwise.def RULE 2 least unit/ad_rules
ad/rules/elementwise.def RULE 3 most unit/ad_rules
ad/rules/elementwise.def RULE 4 adjoint unit/ad_rules
codegen/c/emit.def EXPR 2 emitter tests/codegen
codegen/c/emit.def STMT 2 emitter tests/codegen
codegen/c/emit.def NEVER 1 operation tests/codegen
codegen/llvm/emit.def LLVM_OP 2 emitter tests/llvm
codegen/c/reserved.def RESERVED 1 name run .*reserved
codegen/c/reserved.def LIBRARY 1 name run .*reserved
frontend/builtins.def BUILTIN 2 name ^lang\|unit/session
frontend/builtins.def BUILTIN 3 kind unit/session\|example .*language-0
frontend/builtins.def BUILTIN 4 doc repl/
ast/foreign.def FOREIGN 1 where error .*foreign
ast/foreign.def FOREIGN 2 theirs error .*foreign
ast/foreign.def FOREIGN 3 hint error .*foreign
ast/foreign.def FOREIGN 4 replacement error .*foreign
cli/commands.def HIDDEN 2 function script/reference
cli/commands.def COMMAND 1 name script/command_line
cli/commands.def COMMAND 2 function script/command_line
cli/commands.def COMMAND 3 arguments script/command_line
cli/commands.def COMMAND 4 doc script/command_line
cli/options.def SECRET 3 kind script/command_line
cli/options.def OPTION 1 name script/command_line\|script/defines
cli/options.def OPTION 2 letter script/command_line
cli/options.def OPTION 3 kind script/command_line
cli/options.def OPTION 4 field script/command_line
cli/options.def OPTION 5 argument script/command_line
cli/options.def OPTION 6 doc script/command_line
repl/commands.def COMMAND 1 name repl/
repl/commands.def COMMAND 2 function repl/
repl/commands.def COMMAND 3 arguments repl/
repl/commands.def COMMAND 4 doc repl/
repl/language.def WORD 1 name repl/
repl/language.def WORD 2 doc repl/
repl/language.def WORD 3 section repl/
notebook/math_symbols.def SYMBOL 1 kind unit/notebook
notebook/math_symbols.def SYMBOL 2 name unit/notebook
notebook/math_symbols.def SYMBOL 3 text unit/notebook
runtime/pictures.def STYLE 1 name script/plots
runtime/pictures.def STYLE 2 gnuplot script/plots
runtime/pictures.def STYLE 3 mark script/plots
runtime/pictures.def STYLE 4 size script/plots
runtime/pictures.def STYLE 5 size-2 script/plots
runtime/pictures.def COLORS 1 name script/plots
runtime/pictures.def COLORS 2 palette script/plots
runtime/pictures.def COLORS 3 missing script/plots
'
bad=0
# A macro that a table defines itself (E1) is rows of another one; enumerators and a few that are one with another are known.
for table in $(git ls-files '*.def'); do
    LC_ALL=C awk -f tools/columns.awk "$table" | while read -r macro count; do
        grep -q "define $macro(" "$table" && continue
        named=$(echo "$COLUMNS" | grep -c "^$table $macro ")
        [ "$named" != 0 ] || echo "$table: nobody asks about the columns of $macro"
    done
done

mkdir -p "$work" # what an earlier run built there is built
git ls-files | tar cf - -T - | tar xf - -C "$work"
cd "$work" || exit 1
export NO_FUZZ=1 FIRST=255 XDG_CACHE_HOME="$work/build/cache" TMPDIR="$work/build/tmp"
mkdir -p "$XDG_CACHE_HOME" "$TMPDIR"
build() { make -j"$(nproc)" all >build/log 2>&1; }
build || { echo "the checkout does not build: $work/build/log"; exit 1; }

# Who sees it: empty when nobody does
seen() { # tests
    build || { echo "the build: $(grep -m1 'error\|Error' build/log | cut -c1-90)"; return; }
    timeout 900 tests/run.sh "$1" >build/part.log 2>&1 && return
    grep -a -m1 '^FAIL' build/part.log | cut -c6-90 || echo "what never ends, of $1"
}
echo "$COLUMNS" | grep "^$only" >build/columns
while read -r table macro column name tests; do
    [ -n "$table" ] || continue
    by=
    for rows in 1 3 10; do
        LC_ALL=C awk -f tools/columns.awk -v macro="$macro" -v column="$column" -v rows=$rows -v seed="$seed" "$here/$table" >"$table" 2>build/altered
        cmp -s "$here/$table" "$table" || by=$(seen "$tests")
        [ -z "$by" ] || break
    done
    cp "$here/$table" "$table"
    if [ -n "$by" ]; then
        echo "$table $macro $name ($rows): $by"
    else
        bad=1
        echo "NOBODY SEES $table $macro $name: $(cut -c1-200 build/altered)"
    fi
done <build/columns
exit $bad
