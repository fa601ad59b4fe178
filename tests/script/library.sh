# build --lib: one library from C, C++, Fortran and Python; what can be wrong; threads; memory; two libraries in one program
. "$ROOT/tests/script/lib.inc"
case $DSLC in */san/*) echo "skipped: a sanitized library needs a sanitized program"; exit 0 ;; esac
lib=$ROOT/tests/lib
cp "$lib"/*.dsl .
expect 0 "" "$DSLC" build --lib waves.dsl -o made/
for file in libwaves.so libwaves.a waves.h waves.pc; do [ -s made/$file ] || { echo "no $file"; exit 1; }; done
PKG_CONFIG_PATH=made
LD_LIBRARY_PATH=made
export PKG_CONFIG_PATH LD_LIBRARY_PATH
shared=$(pkg-config --cflags --libs waves)
static="$(pkg-config --cflags waves) made/libwaves.a $(pkg-config --static --libs-only-l waves | sed 's/-lwaves//')"
C="-std=c99 -g -Wall -Wextra -Wpedantic -Werror"
for cc in gcc clang; do
    $cc $C "$lib/client.c" $shared -o client-$cc
    for threads in 1 2 7; do expect 0 "all is well" ./client-$cc $threads; done
done
gcc $C "$lib/client.c" $static -o client-static
expect 0 "all is well" ./client-static 3
expect 0 "all is well" env OMP_WAIT_POLICY=passive ./client-static
printf '#include "waves.h"\nint main() { return waves_status(WAVES_OK); }\n' >client.cc
g++ -std=c++11 -Wall -Wextra -Wpedantic -Werror client.cc $shared -o client-cc
expect 0 "" ./client-cc
# the same library, made by clang
expect 0 "" "$DSLC" build --cc=clang --lib waves.dsl -o by_clang/
for threads in 1 2 7; do expect 0 "all is well" env LD_LIBRARY_PATH=by_clang ./client-gcc $threads; done
# a compiler behind another command
expect 0 "" env CC="env cc" "$DSLC" build --lib waves.dsl -o behind/
# names and places
expect 1 "E0728" "$DSLC" build --lib waves.dsl -o my-waves
expect 1 "E0702" "$DSLC" build --lib waves.dsl -o nowhere/far/waves
expect 1 "cannot write '/dev/null': a library is four files" "$DSLC" build --lib waves.dsl -o /dev/null
[ ! -e /dev/null.h ] || { echo "files beside a device"; exit 1; }
mkdir -p blocked/other.h
expect 1 "it is a folder" "$DSLC" build --lib other.dsl -o blocked/
[ "$(ls blocked)" = other.h ] || { echo "half a library"; ls blocked; exit 1; }
expect 0 "" "$DSLC" build --keep-c --lib other.dsl -o kept/better
[ "$(ls kept | tr '\n' ' ')" = "better.c better.h better.pc libbetter.a libbetter.so " ] || { ls kept; exit 1; }
# a C function of the user's own inside
echo 'double shifted(double x) { return x + 0.5; }' >shift.c
printf 'extern fn shifted(x: f64) -> f64\nexport fn twice(x: f64) -> f64 = 2 * shifted(x)\n' >inner.dsl
expect 1 "E0723" "$DSLC" build --lib inner.dsl -o made/
expect 0 "" "$DSLC" build --lib inner.dsl --link=shift.c -o made/
printf '#include "inner.h"\nint main(void) { inner_context *c = inner_context_new(); double r; return inner_twice(c, 1, &r) || r != 3; }\n' >use.c
gcc $C use.c -Imade made/libinner.a -lgomp -lm -o use
expect 0 "" ./use
# other languages
if command -v gfortran >/dev/null; then
    gfortran "$lib/client.f90" $shared -o client-f
    expect 0 "0 wrong" ./client-f
else echo "SKIPPED: no gfortran"; fi
if command -v python3 >/dev/null; then expect 0 "all is well" python3 "$lib/client.py" made/libwaves.so
else echo "SKIPPED: no python3"; fi
# threads, memory, two libraries
gcc $C -pthread "$lib/threads.c" $shared -o threads
for turn in 1 2 3; do expect 0 "0 wrong, one call at a time" ./threads; done
gcc $C -std=gnu99 "$lib/memory.c" $shared -o memory
expect 0 "some calls had no memory, nothing is lost" ./memory
expect 0 "" "$DSLC" build --lib transforms.dsl -o made/
gcc $C -std=gnu99 "$lib/transforms.c" $(pkg-config --cflags --libs transforms) -lm -o transforms
expect 0 "some calls had no memory" ./transforms
expect 0 "" "$DSLC" build --lib other.dsl -o made/other
gcc $C "$lib/two.c" $shared $(pkg-config --libs other) -o two
expect 0 "0 wrong" ./two
gcc $C "$lib/two.c" $static made/libother.a -lgomp -lm -o two-static
expect 0 "0 wrong" ./two-static
[ "$(nm -g --defined-only made/libwaves.a | grep ' [A-Z] ' | grep -vc ' T waves_')" = 0 ] || { echo "other names can be seen"; exit 1; }
# For another processor.  valgrind, which does not know all of this one: nothing lost, nothing read before it was written.
expect 1 "it takes what" "$DSLC" build --cpu=nosuch --lib waves.dsl -o made/
expect 1 "it takes what" "$DSLC" build --cpu=nosuch --cc=clang --lib waves.dsl -o made/
if command -v valgrind >/dev/null; then
    [ "$(uname -m)" != x86_64 ] || for name in waves other; do expect 0 "" "$DSLC" build --cpu=x86-64-v3 --lib $name.dsl -o made/; done
    gcc $C "$lib/two.c" $static made/libother.a -lgomp -lm -o two-static
    gcc $C "$lib/client.c" $static -o client-static
    expect 0 "all is well" valgrind -q --leak-check=full --show-leak-kinds=definite,indirect,possible --error-exitcode=9 ./client-static 1
    expect 0 "0 wrong" valgrind -q --leak-check=full --error-exitcode=9 --suppressions="$lib/openmp.supp" ./two-static
else echo "SKIPPED: no valgrind"; fi
