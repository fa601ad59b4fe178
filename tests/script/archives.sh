# Files of several arrays, numbers without a head, pictures as arrays; compiled and interpreted: what is read, what is
# written, what is wrong with them.
. "$ROOT/tests/script/lib.inc"
cp "$ROOT"/tests/data/*.npz "$ROOT"/tests/data/*.png .
# What NumPy has written
both 0 'same' 'let x: f64[n, m] = load("stored.npz", "x")
let y: f64[n, m] = load("stored.npz", "turned")
let z: c128[k] = load("stored.npz", "z")
let number: f64[one] = load("stored.npz", "number")
let w: f64[n, m] = load("deflated.npz", "x")
let big: f64[n, m] = load("deflated.npz", "big")
let counts: i32[l] = load("deflated.npz", "counts")
let expected = [(4 * i + j) / 8 for i in 0:3, j in 0:4]
assert all(x == expected) and all(y == x) and all(w == x) and all(big == x)
assert number[0] == 2.5 and z[0] == 1 + 2im and z[1] == 3 and l == 300 and counts[299] == 299
print("same")'
both 1 "'stored.npz' has no array 'y'" 'let x: f64[n] = load("stored.npz", "y")
print(x)'
both 1 "its arrays are x, turned, number, z" 'let x: f64[n] = load("stored.npz")
print(x)'
both 1 "'deflated.npz: counts' holds i32, but i64 is needed" 'let x: int[n] = load("deflated.npz", "counts")
print(x)'
both 1 "'deflated.npz: x' holds an array with 2 axes, but 1 is needed" 'let x: f64[n] = load("deflated.npz", "x")
print(x)'
both 1 "'stored.npz' holds numbers: texts are columns of tables" 'let x: str[n] = load("stored.npz", "x")
print(x)'
# What is written is read again.
both 0 'same' 'let t = linspace(0.0, 1.0, 1000)
let z = c128(t, -t)
for k in 0:2 {
    save("a.npz", "t", t, "small", [[1, 2], [3, 4]], "flags", t > 0.5)
    save("b.npz", "zeros", zeros(f32, 100, 100, 10), "t", t, compress=true)
}
save("c.npz", "t", t)
let t1: f64[n] = load("a.npz", "t")
let t2: f64[n] = load("b.npz", "t")
let t3: f64[n] = load("c.npz")
let zeros_: f32[p, q, r] = load("b.npz", "zeros")
let flags: bool[n] = load("a.npz", "flags")
assert all(t1 == t) and all(t2 == t) and all(t3 == t) and p == 100 and r == 10 and sum(zeros_) == 0 and all(flags == (t > 0.5))
print("same")'
[ "$(wc -c <b.npz)" -lt 20000 ] || { echo "not compressed"; exit 1; }
if command -v unzip >/dev/null; then expect 0 'No errors' unzip -t a.npz; expect 0 'No errors' unzip -t b.npz; fi
both 1 "it would have two arrays 't'" 'save("d.npz", "t", [1.0], "t", [2.0])'
both 1 "'a/b' is no name for an array in it" 'save("d.npz", "a/b", [1.0])'
both 1 'its arrays need names' 'save("d.npz", [1.0])'
both 1 'a file of this kind has no arrays with names' 'save("d.npy", "t", [1.0])'
[ ! -e d.npz ] && [ ! -e d.npy ] || { ls; exit 1; }
# What is wrong
wrong() { # message, file
    both 1 "$1" "let x: f64[n, m] = load(\"$2\", \"x\")
print(x)"
}
printf 'no archive' >bad.npz
wrong "'bad.npz' is not a readable .npz file: it is no zip archive" bad.npz
: >bad.npz
wrong 'it is no zip archive' bad.npz
head -c 900 stored.npz >bad.npz
wrong 'its end is missing: it is truncated' bad.npz
for at in 150 170 200; do # in the elements
    cp stored.npz bad.npz
    printf 'XYZ' | dd of=bad.npz bs=1 seek=$at conv=notrunc 2>/dev/null
    wrong 'its checksum is wrong: it is damaged' bad.npz
done
cp deflated.npz bad.npz
printf 'XYZXYZXYZ' | dd of=bad.npz bs=1 seek=70 conv=notrunc 2>/dev/null
wrong "'bad.npz' is not a readable .npz file" bad.npz

# Numbers without a head
both 0 '[2 3] [[2]
 [3]] 513 [258] 5' 'save("x.raw", [u16(1), u16(2), u16(3)])
let a: u16[n] = load("x.raw", "offset 2")
let b: u16[n, m] = load("x.raw", f"shape {n} x 1, offset {2 * 1}")
let c: u16[k] = load("x.raw", "big-endian")
save("y.bin", [u8(1), u8(2), u8(2), u8(1), u8(0)])
let d: u16[i] = load("y.bin", "shape 1, offset 1")
let e: u16[i] = load("y.bin", "shape 1, big-endian, offset 0")
let f: i8[l] = load("y.bin")
print(a, b, c[0] + d[0] - 256, e, l)'
both 1 "'x.raw' has 6 bytes there, no whole number of f64" 'let a: f64[n] = load("x.raw")
print(a)'
both 1 "'x.raw' has 6 bytes there, fewer than its shape needs" 'let a: u16[n, m] = load("x.raw", "shape 2 x 2")
print(a)'
both 1 'a file without a head does not tell its shape: load("x.raw", "shape 100 x 200")' 'let a: u16[n, m] = load("x.raw")
print(a)'
both 1 "is not laid out so: 'size 3'" 'let a: u16[n] = load("x.raw", "offset 2, size 3")
print(a)'
both 1 "and the offset is 9" 'let a: u16[n] = load("x.raw", "offset 9")
print(a)'

# Pictures
both 0 'same' 'let a: u8[h, w] = load("interlaced.png")
assert h == 10 and w == 11 and all(a == [u8(16 * i + j) for i in 0:h, j in 0:w])
let p: u8[ph, pw, c] = load("palette.png")
assert c == 4 and all(p[0, 2] == [u8(0), u8(255), u8(0), u8(128)]) and all(p[1, 4] == [u8(0), u8(0), u8(255), u8(255)])
let g: u16[gh, gw, two] = load("clear.png")
assert all(g[0] == [[u16(258), u16(0)], [u16(65535), u16(65535)]])
print("same")'
both 0 'same' 'for k in 1:5 {
    let x = [u8((i * j * (1 + c) + 3 * i) % 256) for i in 0:37, j in 0:23, c in 0:k]
    let y = [u16((i * j * (1 + c) * 71 + 3 * i) % 65536) for i in 0:7, j in 0:9, c in 0:k]
    save("x.png", x)
    save("y.png", y)
    let x1: u8[h, w, c] = load("x.png")
    let y1: u16[yh, yw, yc] = load("y.png")
    assert all(x1 == x) and all(y1 == y)
}
let color = [u16(i * 7 + j + 1000 * c) for i in 0:5, j in 0:4, c in 0:3]
save("c.ppm", color)
save("g.pgm", color[:, :, 0] % 256)
let color1: u16[h, w, c] = load("c.ppm")
let gray: f64[h, w] = load("g.pgm")
assert all(color1 == color) and gray[1, 1] == 8 / 65535
save("f.png", [[0.0, 0.5, 1.0, 2.0], [-1.0, nan, inf, 0.25]])
let f: f32[fh, fw] = load("f.png")
let b: u8[fh, fw] = load("f.png")
assert all(b[1] == [u8(0), u8(0), u8(255), u8(64)]) and f[0, 2] == 1
save("m.png", f > 0.3)
print("same")'
printf 'P3\n# by hand\n2 1\n7\n0 7 0  1 2 3\n' >t.ppm
both 0 '[[[0. 1. 0.]' 'let x: f64[h, w, c] = load("t.ppm")
print(x[:, 0:1])'
pnm() { # text, message
    printf "$1" >bad.ppm
    both 1 "'bad.ppm' is not a readable picture: $2" 'let x: u8[h, w, c] = load("bad.ppm")
print(x)'
}
pnm 'P3\n2 1\n7\n0 7 0 x 2 3\n' 'line 4, column 7: no value of a pixel stands here'
pnm 'P3\n2 1\n7\n0 8 0 1 2 3\n' 'line 4, column 3: no value of a pixel stands here'
pnm 'P9\n2 1\n7\n' 'line 1, column 1: it does not begin with P2, P3, P5 or P6'
pnm 'P6\n2\n' 'line 3, column 1: no number of pixels stands here'
pnm 'P6\n2 2\n255\nabc' 'it is truncated'
pnm 'P6\n2 2\n70000\nabc' 'line 3, column 1: the greatest value must be from 1 to 65535'
head -c 60 palette.png >cut.png
both 1 "'cut.png' is not a readable picture: it is truncated" 'let x: u8[h, w, c] = load("cut.png")
print(x)'
{ head -c 20 palette.png; printf 'X'; tail -c +22 palette.png; } >cut.png
both 1 'a checksum is wrong: it is damaged' 'let x: u8[h, w, c] = load("cut.png")
print(x)'
both 1 "'palette.png' holds a picture of 4 channels, but an array with 2 axes is needed" 'let x: u8[h, w] = load("palette.png")
print(x)'
both 1 "'palette.png' holds u8, but i64 is needed" 'let x: int[h, w, c] = load("palette.png")
print(x)'
both 1 'a .pgm is gray, colours are .ppm' 'save("no.pgm", zeros(u8, 2, 2, 3))'
both 1 'its numbers are no shades' 'save("no.png", [[1, 2]])'
both 1 'a picture has rows and columns, and perhaps channels' 'save("no.png", [1.0, 2.0])'
[ ! -e no.pgm ] && [ ! -e no.png ] || { ls; exit 1; }
