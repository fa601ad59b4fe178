# Every kernel of tests/run and bench/rodinia as PTX: ptxas takes it for sm_80 and sm_90, and no register is spilled to
# memory.  tests/gpu/registers.txt has what written kernels take, so that a change of code is seen; with another ptxas
# than the one it names numbers are not compared, nor are those in the names of kernels.  UPDATE=1 writes it anew.
[ -f "$(dirname "$DSLC")/libdslllvm.so" ] || { echo "SKIPPED: no LLVM"; exit 0; }
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas /usr/local/cuda-*/bin/ptxas 2>/dev/null | tail -1)
[ -n "$ptxas" ] || { echo "SKIPPED: no ptxas, which is in the CUDA toolkit"; exit 0; }
golden=$ROOT/tests/gpu/registers.txt
version=$("$ptxas" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')

cat >one.sh <<'S'
# one.sh PTXAS FILE: a line for each written kernel, "FILE KERNEL registers shared, registers shared"; what is wrong
file=$2 name=$(echo "$2" | sed 's|.*/\([^/]*/[^/]*\)[.]dsl$|\1|; s|/|_|g')
"$DSLC" --emit=ptx "$file" >"$name.ptx" 2>"$name.err" || { echo "WRONG $file: no PTX"; head -3 "$name.err"; exit; }
grep -q '[.]entry' "$name.ptx" || exit 0
# Kernels of loops that differ in names alone, two of five: ptxas does with one what it does with the others.
awk '
    /^[.]visible [.]entry k[0-9]+_loop[(]/ { kernel = substr($3, 1, index($3, "(") - 1); text = key = "" }
    !kernel { print; next }
    {
        text = text $0 "\n"
        gsub(kernel, "K"); gsub(/[$]L__BB[0-9]+_/, "L"); sub(/[ \t]*\/\/.*/, "")
        key = key $0 "\n"
    }
    /^}/ { if (!seen[key]++) printf "%s", text; kernel = "" }' "$name.ptx" >"$name.once.ptx"
for arch in sm_80 sm_90; do
    "$1" -arch=$arch -v "$name.once.ptx" -o "$name.cubin" >"$name.$arch" 2>&1 || { echo "WRONG $file, $arch:"; grep -v info "$name.$arch" | head -3; exit; }
    awk -v file="$file" -v arch=$arch '
        /Compiling entry/ { split($0, q, "\047"); kernel = q[2] }
        /spill stores/ && !/ 0 bytes spill stores, 0 bytes spill loads/ { print "WRONG " file ", " arch ": spills in " kernel }
        /Used [0-9]+ registers/ {
            shared = 0
            if (match($0, /[0-9]+ bytes smem/)) shared = substr($0, RSTART, RLENGTH) + 0
            match($0, /Used [0-9]+/)
            print kernel, substr($0, RSTART + 5, RLENGTH - 5), shared
        }' "$name.$arch" >"$name.$arch.out"
    grep '^WRONG' "$name.$arch.out"
    grep -v '^WRONG\|_loop ' "$name.$arch.out" | sort >"$name.$arch.table"
done
join "$name.sm_80.table" "$name.sm_90.table" | sed "s|^|${file#"$ROOT"/} |"
rm -f "$name".*
S
export DSLC ROOT
{ grep -l '^ *launch \|^ *parallel ' "$ROOT"/tests/run/*.dsl; ls "$ROOT"/bench/rodinia/*.dsl; } |
    xargs -P "$(nproc)" -n 1 sh one.sh "$ptxas" >all
! grep -A3 '^WRONG' all || exit 1
{ echo "# ptxas $version: file, kernel, registers and bytes of shared memory for sm_80, for sm_90"; sed 's/ k[0-9]*_/ /' all | LC_ALL=C sort; } >table
[ -z "${UPDATE:-}" ] || cp table "$golden"
if [ "$(sed 1q table)" = "$(sed 1q "$golden")" ]; then
    cmp -s table "$golden" || { diff "$golden" table; exit 1; }
fi
[ "$(wc -l <table)" -gt 100 ] || { echo "few kernels: $(wc -l <table)"; exit 1; }
