# docs/errors is what the compiler explains and the tests show (`make docs` writes it): a page for each code.  The programs in the
# explanations are right about themselves: each gives the code that it stands for, one below "write:" does not.
. "$ROOT/tests/script/lib.inc"
mkdir pages
sh "$ROOT/tools/error_pages.sh" "$DSLC" "$PWD/pages"
diff -r "$ROOT/docs/errors" pages || { echo "make docs writes them"; exit 1; }
[ "$(ls pages | wc -l)" = $(($("$DSLC" explain | wc -l) + 1)) ] || { echo "a code has no page"; exit 1; }
"$DSLC" explain $("$DSLC" explain | cut -d' ' -f1) | awk '
    /^[EW]0[0-9][0-9][0-9]: / { code = substr($0, 1, 5); n = 0; file = "" }
    /^    / && code ~ /^.0[1-6]/ {
        if (file == "") file = code "." ++n (said ~ /rite:$/ ? ".right" : ".wrong") ".dsl"
        print substr($0, 5) >file
    }
    !/^    / && !/^$/ { said = $0; if (file != "") close(file); file = "" }'
bad=0 count=0
for file in *.dsl; do
    code=${file%%.*}
    count=$((count + 1))
    [ $code != E0623 ] || command -v gnuplot >/dev/null || continue
    "$DSLC" check -Wall "$file" >said 2>&1 </dev/null
    grep -q "\[$code\]" said || case $code in ?06*) "$DSLC" interp --races "$file" >said 2>&1 </dev/null ;; esac
    case $file in
    *.wrong.dsl) grep -q "\[$code\]" said || { echo "$file does not give $code:"; cat "$file" said; bad=1; } ;;
    *) ! grep -q "\[$code\]\|error" said || { echo "$file is not right:"; cat "$file" said; bad=1; } ;;
    esac
done
[ "$bad" = 0 ] && [ "$count" -ge 40 ] || { echo "$count programs"; exit 1; }
