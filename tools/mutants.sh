#!/bin/sh
# tools/mutants.sh [N [SEED]]: does the suite see when a legality check of a pass is wrong?  N mutants (40), each one token
# of a function that answers yes or no in opt/, analysis/ or lower/, chosen at random; one function has at most one.  In
# a copy of the checkout each is built and goes through the suite, what it most likely breaks first, until something fails:
# it is killed.  The rest survive, and are printed: each is either a test that is missing, or asks about profit, not legality.
# A mutant that the C compiler refuses, or that changes no object code, does not count.  Nor does one that only ran out of
# time (LIMIT seconds for each command, 600) where the right compiler needs long, too.
cd "$(dirname "$0")/.." || exit 1
count=${1:-40} seed=${2:-1} work=$PWD/build/mutants
rm -rf "$work" && mkdir -p "$work"
git ls-files | tar cf - -T - | tar xf - -C "$work"
cd "$work" || exit 1
export NO_FUZZ=1 XDG_CACHE_HOME="$work/build/cache" TMPDIR="$work/build/tmp" LIMIT="${LIMIT:-600}" LATE="$work/build/late" FIRST=255
mkdir -p "$XDG_CACHE_HOME" "$TMPDIR" build/right
build() { make -j"$(nproc)" all build/gen build/reduce >build/log 2>&1; }
build || { echo "the checkout does not build: $work/build/log"; exit 1; }
cp build/dslc build/lib* build/right/
# A sum of all that dslc makes of a program
made() { # dslc, file
    for how in "--emit=par" "--emit=c -O0" "--emit=c -O2" "--emit=llvm" "--target=sim --emit=llvm"; do
        timeout "$LIMIT" "$1" $how "$2" 2>&1
    done | cksum
}
for f in tests/run/*.dsl; do made build/right/dslc "$f" >build/right/"$(basename "$f").sum"; done

# file line column old new, of all functions; in the order of a random number
awk -v seed="$seed" '
    function put(col, old, new) { print rand(), FILENAME, FNR, col, old, new, start }
    function swap(old, new,   at, rest, col) {
        col = 0; rest = $0
        while ((at = index(rest, old)) > 0) {
            col += at; put(col, old, new)
            rest = substr(rest, at + length(old)); col += length(old) - 1
        }
    }
    BEGIN { srand(seed) }
    FNR == 1 { inside = 0 }
    /^(static )?bool [a-z_0-9]+\(/ && !/;$/ { inside = 1; start = FNR }
    inside && !/^ *(\/\*|\*)/ {
        swap(" && ", " || "); swap(" || ", " && "); swap(" == ", " != "); swap(" != ", " == ")
        swap(" < ", " <= "); swap(" <= ", " < "); swap(" > ", " >= "); swap(" >= ", " > ")
        swap("(!", "("); swap(" !", " "); swap("return true", "return false"); swap("return false", "return true")
        swap(" + 1", " + 0"); swap(" - 1", " - 0")
    }
    inside && (/^}/ || /^(static )?bool .*}$/) { inside = 0 }' OFS="\t" \
    opt/*/*.c opt/*.c analysis/*.c lower/*.c | sort -n >build/candidates

# One line of the file, from column $3: $4 becomes $5; build/whole has the file as it was
mutate() { # file line column old new
    cp "$1" build/whole
    awk -v line="$2" -v col="$3" -v old="$4" -v new="$5" '
        FNR == line { $0 = substr($0, 1, col - 1) new substr($0, col + length(old)) } { print }' build/whole >"$1"
}
part() { tests/run.sh "$1" >build/part.log 2>&1; }
random() { tests/fuzz.sh "$@" >build/part.log 2>&1; }
# Tests that are called as the file is, where there are any
own() { # file
    name=$(basename "$1" .c | tr _ -)
    ! ls tests/pass tests/unit | tr _ - | grep -q "^$name" || part "^pass .*/$(echo "$name" | tr - .)\|^unit .*$(echo "$name" | tr - .)"
}
# The programs of which it makes something else; the others need not run
changes() {
    for f in tests/run/*.dsl; do
        made build/dslc "$f" | cmp -s - build/right/"$(basename "$f").sum" || echo "run .*/$f$"
    done >build/changed
    [ ! -s build/changed ] || part "$(paste -sd'|' build/changed | sed 's/|/\\|/g')"
}
survives() { # file
    : >"$LATE"
    own "$1" && part '^pass ' && part '^ir \|^type \|^error \|^unit ' && changes && random --nests 25 && random 60 &&
        random --races 40 && random --grads 20 && part '^script \|^example \|^notebook '
}
# Did it only run out of time where the right compiler takes long, too?
slow() {
    [ -s "$LATE" ] || return 1
    seed=$(sed -n 's/^ *again: *tests\/fuzz.sh --one //p' build/part.log | head -n 1)
    set -- $(sed -n 's/^FAIL \([a-z]* [^:]*\):.*/\1/p' build/part.log | head -n 1)
    if [ -n "$seed" ]; then set -- tests/fuzz.sh --one "$seed"
    elif [ $# != 0 ]; then set -- tests/case.sh "$@"
    else return 1; fi
    ! DSLC=$work/build/right/dslc LIMIT=$((LIMIT / 4)) "$@" >/dev/null 2>&1
}
tab=$(printf '\t')
tried=0 killed=0
: >build/functions
while [ "$tried" -lt "$count" ] && IFS=$tab read -r _ file line col old new start; do
    grep -qx "$file $start" build/functions && continue
    mutate "$file" "$line" "$col" "$old" "$new"
    object=build/$(echo "$file" | sed 's/c$/o/')
    right=build/right/$(echo "$file" | tr / _)
    [ -f "$right" ] || cp "$object" "$right"
    if build && ! cmp -s "$object" "$right"; then
        echo "$file $start" >>build/functions
        tried=$((tried + 1))
        if survives "$file" </dev/null; then
            echo "survives: $file:$line: '$old' -> '$new': $(sed -n "${line}p" "$file" | sed 's/^ *//')"
        elif slow; then
            tried=$((tried - 1))
            echo "not known, the machine is too slow for $(head -n 1 "$LATE"): $file:$line: '$old' -> '$new'"
        else
            killed=$((killed + 1))
            by=$(grep -a -m1 '^FAIL\|^fuzz:\|^races:' build/part.log | cut -c1-80)
            [ ! -s "$LATE" ] || by="what never ends: $by"
            echo "killed by ${by:-$(head -n 1 build/part.log)}: $file:$line: '$old' -> '$new'"
        fi
    fi
    cp build/whole "$file"
done <build/candidates
echo "$killed of $tried killed"
