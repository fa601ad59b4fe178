#!/bin/sh
# tools/mutants.sh [N [SEED]]: does the suite see when a legality check of a pass is wrong?  N mutants (40), each one token
# of a function that answers yes or no in opt/, analysis/ or lower/, chosen at random; one function has at most one.  In
# a copy of the checkout each is built and goes through the suite, the quickest parts first, until something fails: it is
# killed.  The rest survive, and are printed: each is either a test that is missing, or asks about profit, not legality.
# A mutant that the C compiler refuses, or that changes no object code, does not count.
cd "$(dirname "$0")/.." || exit 1
count=${1:-40} seed=${2:-1} here=$PWD work=$PWD/build/mutants
rm -rf "$work" && mkdir -p "$work"
git ls-files | tar cf - -T - | tar xf - -C "$work"
cd "$work" || exit 1
export NO_FUZZ=1 XDG_CACHE_HOME="$work/build/cache" TMPDIR="$work/build/tmp"
mkdir -p "$XDG_CACHE_HOME" "$TMPDIR" build/right
build() { make -j"$(nproc)" all build/gen build/reduce >build/log 2>&1; }
build || { echo "the checkout does not build: $work/build/log"; exit 1; }

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

# One line of the file, from column $3: $4 becomes $5
mutate() { # file line column old new
    awk -v line="$2" -v col="$3" -v old="$4" -v new="$5" '
        FNR == line { $0 = substr($0, 1, col - 1) new substr($0, col + length(old)) } { print }' "$here/$1" >"$1"
}
part() { timeout 600 tests/run.sh "$1" >build/part.log 2>&1; }
survives() {
    part '^pass ' && part '^ir \|^type \|^error \|^unit ' && part '^run ' &&
        timeout 900 tests/fuzz.sh --nests 25 >build/part.log 2>&1 && timeout 900 tests/fuzz.sh 60 >build/part.log 2>&1 &&
        timeout 900 tests/fuzz.sh --races 40 >build/part.log 2>&1 &&
        timeout 900 tests/fuzz.sh --grads 20 >build/part.log 2>&1 &&
        part '^script \|^example \|^notebook '
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
        if survives; then
            echo "survives: $file:$line: '$old' -> '$new': $(sed -n "${line}p" "$file" | sed 's/^ *//')"
        else
            killed=$((killed + 1))
            by=$(grep -a -m1 '^FAIL' build/part.log | cut -c1-80)
            echo "killed by ${by:-what never ends, or random programs}: $file:$line: '$old' -> '$new'"
        fi
    fi
    cp "$here/$file" "$file"
done <build/candidates
echo "$killed of $tried killed"
