# HDF5 and NetCDF files, where their libraries are: what h5py and netCDF4 have written, what we write, what is wrong
. "$ROOT/tests/script/lib.inc"
for lib in libhdf5 libnetcdf; do
    ls /usr/lib/*/$lib*.so* >/dev/null 2>&1 || { echo "SKIPPED: no $lib"; exit 0; }
done
cp "$ROOT"/tests/data/*.h5 "$ROOT"/tests/data/*.nc .
both 0 'm/s fixed a text same' 'let x: f64[n, m] = load("several.h5", "x")
let row: f32[l] = load("several.h5", "x[-1, 1:6:2]")
let far: f64[few] = load("several.h5", "group/counts[1::9223372036854775807]")
let scale: f64 = load("several.h5", "x@scale")
let counts: i32[k] = load("several.h5", "group/counts")
let as_floats: f64[k] = load("several.h5", "group/counts")
let flags: bool[two] = load("several.h5", "flags")
let number: f64 = load("several.h5", "number")
let tiles: f64[p, q] = load("several.h5", "tiles[4:6, 17:]")
let big: f64[k] = load("several.h5", "big")
assert n == 4 and all(x[3] == [18, 19, 20, 21, 22, 23]) and all(row == [19, 21, 23]) and scale == 2.5 and few == 1 and far[0] == 1
assert k == 5 and counts[4] == 4 and all(as_floats == counts) and flags[0] and not flags[1] and number == 3.5
assert all(tiles == [[97, 98, 99], [117, 118, 119]]) and all(big == counts)
let units: str = load("several.h5", "x@units")
let title: str = load("several.h5", "@title")
let name: str = load("several.h5", "name")
print(units, title, name, "same")'
for f in classic four; do
    both 0 'degC hello same' "let t: f64[n, m] = load(\"$f.nc\", \"T\")
let packed: i16[m] = load(\"$f.nc\", \"T[1]\")
let k: i32[m] = load(\"$f.nc\", \"k\")
let some: f32[l] = load(\"$f.nc\", \"T[:, 2]\")
let offset: f64 = load(\"$f.nc\", \"T@add_offset\")
assert isnan(t[0, 1]) and allclose(t[1], [11.0, 12.0, 13.0]) and all(packed == [i16(10), i16(20), i16(30)])
assert all(k == [1, 2, 3]) and allclose(f64(some), [10.3, 13.0]) and offset == 10
let units: str = load(\"$f.nc\", \"T@units\")
let title: str = load(\"$f.nc\", \"@title\")
print(units, title, \"same\")"
done
at=$(grep -abo title classic.nc | cut -d: -f1) # its kind, behind 8 bytes for the name: bytes, not characters
{ head -c $((at + 11)) classic.nc; printf '\1'; tail -c +$((at + 13)) classic.nc; } >bytes.nc
both 0 '5 true' 'let flags: bool[n] = load("bytes.nc", "@title")
print(sum([where(b, 1, 0) for b in flags]), all([b == true for b in flags]))'
for f in o.nc o.h5; do
    both 0 'same' "let u = [[1, 2, 3], [4, 5, 6]]
for k in 0:2 { save(\"$f\", \"t\", [0.0, 1.0], \"x\", [1.5, 2, 3], \"u\", u, \"none\", zeros(f32, 0)) }
let t: f64[n] = load(\"$f\", \"t\")
let x: f64[m] = load(\"$f\", \"x\")
let again: int[n, m] = load(\"$f\", \"u\")
let none: f32[z] = load(\"$f\", \"none\")
let part: int[k] = load(\"$f\", \"u[1, 1:]\")
assert all(again == u) and t[1] == 1 and x[0] == 1.5 and z == 0 and all(part == [5, 6])
print(\"same\")"
    [ "$(ls | grep -c "^$f")" = 1 ] || { ls; exit 1; }
done
wrong() { # file, part, message
    both 1 "$3" "let x: f64[n] = load(\"$1\", \"$2\")
print(x)"
}
for f in several.h5 four.nc; do
    wrong $f nothing "'$f' has no 'nothing'"
    wrong $f '' "'$f' holds several arrays: name one"
    wrong $f nothing/x "'$f' has no 'nothing/x'"
done
wrong several.h5 x "'several.h5' holds an array with 2 axes there, but 1 is needed"
wrong several.h5 'x[0:9]' "'several.h5' has no such part of 'x': 9 is out of bounds for axis 0 with size 4"
wrong several.h5 'x[9223372036854775807]' '9223372036854775807 is out of bounds for axis 0 with size 4'
wrong several.h5 'x[0' "'[0' are no ranges for 2 axes: write name[0:10, :, 3]"
wrong several.h5 name "'several.h5' holds text there, but f64 is needed"
wrong several.h5 nothing 'it has big, flags, group, name, number, tiles, x'
wrong four.nc 'T[2]' '2 is out of bounds for axis 0 with size 2'
wrong four.nc 'T@no' "'four.nc' has no 'T@no'"
wrong four.nc 'T@units' "'four.nc' holds text there, but f64 is needed"
both 1 "'several.h5' holds i32 there, but i64 is needed" 'let x: int[n] = load("several.h5", "group/counts")
print(x)'
for f in several.h5 four.nc classic.nc; do
    head -c 60 $f >cut.${f##*.}
    both 1 "'cut.${f##*.}' is not a readable" "let x: f64[n, m] = load(\"cut.${f##*.}\", \"x\")
print(x)"
done
both 1 "it would have two arrays 't'" 'save("d.h5", "t", [1.0], "t", [2.0])'
both 1 'cannot write' 'save("no/such/d.nc", "t", [1.0])'
for f in d.nc d.h5; do both 1 "cannot write '$f': it has no numbers like f16" "save(\"$f\", \"t\", [f16(1.0)])"; done
[ ! -e d.h5 ] && [ ! -e d.nc ] || { ls; exit 1; }
