#!/bin/sh
# tools/libfuzzer/run.sh FOLDER [SECONDS [TARGETS]]: each target of FOLDER for SECONDS (600), from the test programs on; as
# data/table, a reader of it alone (READER of data.c and words.c).  TARGETS=readers: each of these.
# What crashed, hung (10 s), leaked or took 2 GB stays in FOLDER; exit 0 if nothing did.
cd "$(dirname "$0")/../.." || exit 1
folder=$1 seconds=${2:-600} targets=${3:-front ir data words} status=0
readers="data/npy data/npz data/table data/picture data/png data/raw data/tune words/text words/arguments words/part"
[ "$targets" != readers ] || targets=$readers

seeds() { # target: its first inputs, one file each
    case $1 in
    front) find tests examples bench docs -name '*.dsl' -size -8k ;;
    ir) find tests -name '*.ir' -size -16k ;;
    esac
}

# For data.c: its first byte (octal), then a file; from 064 on tables, pictures, archives: see the end of data.c
npy() { # byte, descr, fortran_order, shape, elements
    printf "\\$1\\223NUMPY\\001\\000v\\000%-117s\n%s" "{'descr': '$2', 'fortran_order': $3, 'shape': $4, }" "$5"
}
data_seeds() { # folder
    npy 014 '<f8' False '(2,)' 0123456789abcdef >"$1/f64"
    npy 031 '>f8' True '(1, 2)' 0123456789abcdef >"$1/f64-swapped"
    npy 004 '<i8' False '(0,)' '' >"$1/i64-empty"
    npy 000 '|b1' False '(3,)' 012 >"$1/bool"
    npy 044 '<f2' True '(1L, 2L)' 0123 >"$1/f16"
    printf '\067x,y\n1,2\n# c\n"3",nan\n' >"$1/table"
    printf '\071a b\n1 -2e5\n' >"$1/table-matrix"
    printf '\073P5\n2 1\n255\n01' >"$1/pgm"
    printf '\073P3 1 1 7\n1 2 # c\n3\n' >"$1/ppm"
    printf '\077\002\002\010\003\000\002abcdef\000\000\001\001\001\001' >"$1/png-palette"
    printf '\077\003\003\020\006\001\000%-300s' >"$1/png-interlaced"
    printf '\100offset 1, shape 2 x 1, big-endian\000abcdefghijk' >"$1/raw"
    for f in tests/data/*.npz tests/data/*.png; do
        case $f in *.npz) printf '\064' ;; *) printf '\073' ;; esac | cat - "$f" >"$1/$(basename "$f")"
    done
    printf '~source 1\nmachine 2\ncoarsen-thread k=x:2,y:4\ncoarsen-block x:2\ndefine n=5\nthreads 2\ncc gcc # that one\n' >"$1/tune"
}

# For words.c: its first byte chooses texts (0), arguments (1), parts of files (2), its second sizes
words_seeds() { # folder
    printf '0\003a,b;\303\251\000,\000--' >"$1/split"
    printf '0\000 -1.5e3 \000 \000x' >"$1/number"
    printf '1\000--steps=5\000-k\000--rate-of\0001e-3\000--no-all\000--name=x' >"$1/arguments"
    printf '1\000--stepz=0x1f\000--big=1_000\000--help' >"$1/wrong"
    printf '2\002group/x[0:2, :, -1]' >"$1/ranges"
    printf '2\001t@units: re, im' >"$1/attribute"
}

# The languages' own words, from where they are declared
{ grep -oE '^"[a-z]+"' grammar/lexer.l; sed -nE 's/^(OP|E1|E2|M1)\([A-Z0-9_]+, ("[a-z0-9_.]+").*/\2/p' ir/ops.def; } | sort -u >"$folder/words.txt"

for t in $targets; do
    target=${t%/*} READER=${t#*/} name=$(echo "$t" | tr / .)
    [ "$target" = "$t" ] && unset READER || export READER
    corpus=$folder/$name.corpus log=$folder/$name.log
    mkdir -p "$corpus"
    seeds $target | while read -r f; do cp "$f" "$corpus/$(echo "$f" | tr / _)"; done
    case $target in data | words) ${target}_seeds "$corpus" ;; esac
    # texts stay to the end of a process
    case $target in words) how="-fork=1 -max_len=256" ;; *) how=-max_len=16384 ;; esac
    "$folder/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 $how -close_fd_mask=3 \
        -dict="$folder/words.txt" -artifact_prefix="$folder/$name." "$corpus" >"$log" 2>&1 || status=1
    echo "libfuzzer $t: $(grep -oE '(Done [0-9]+ runs in|exiting: 0 time:) [0-9]+' "$log" | tail -n 1 || true)$(grep -oE 'ERROR: .*' "$log" | head -n 1)"
done
exit $status
