# Tables: what is read of texts, compiled and interpreted; what is wrong there, with its line and field; what is written
. "$ROOT/tests/script/lib.inc"
tab=$(printf '\t')
printf 'time,temperature,"wind, m/s"\n0.5,20,1e-3\n1.0,,2.5\n# a comment\n\n1.5,NA,-3\n' >w.csv
both 0 '[[ 5.0e-01  2.0e+01  1.0e-03]
 [ 1.0e+00      nan  2.5e+00]' 'let x: f64[n, m] = load("w.csv")
print(x)'
both 0 '3 3 [0.5 1.  1.5] true 2.5' 'let x: f64[n, m] = load("w.csv")
let t: f64[k] = load("w.csv", "time")
let w: f64[k] = load("w.csv", "wind, m/s")
let c: f32[k] = load("w.csv", "temperature")
print(n, m, t, isnan(c[1]), w[1])'
both 0 '3 2 2.5 1.5' 'let x: f64[n, m] = load("w.csv", "wind, m/s; time")
print(n, m, x[1, 0], x[2, 1])'
both 1 "its column 'time' is asked for twice" 'let x: f64[n, m] = load("w.csv", "time, time")
print(x)'
both 1 "'w.csv' has no column 'temp'" 'let x: f64[n] = load("w.csv", "temp")
print(x)'
both 1 'its columns are time, temperature, wind, m/s' 'let x: f64[n] = load("w.csv", "temp")
print(x)'
both 1 "'w.csv' holds a table of 3 rows and 3 columns, but an array with 1 axis is needed" 'let x: f64[n] = load("w.csv")
print(x)'
both 1 'several columns make a matrix: let x: f64[n, m]' 'let x: f64[n] = load("w.csv", "time, temperature")
print(x)'
both 1 'load it as a matrix, let x: f64[n, m] = load("w.csv"), and reshape that' 'let x: f64[n, m, k] = load("w.csv")
print(x)'
both 1 'name a column, load("w.csv", "NAME")' 'let x: f64[n] = load("w.csv")
print(x)'
both 1 "line 3, field 2 (temperature): a value is missing, and i64 has no nan: load it as f64" 'let x: int[n] = load("w.csv", "temperature")
print(x)'
both 1 "line 2, field 1 (time): '0.5' is no int: load it as f64" 'let x: int[n] = load("w.csv", "time")
print(x)'
both 1 't.dsl:1:17: error[E0611]' 'let x: int[n] = load("w.csv", "time")
print(x)'
both 1 'load: axis 0 has size 3, but 2 is needed' 'let x: f64[2, 3] = load("w.csv")
print(x)'

# Whole numbers are ints however they are written
printf 'year,n\n1990.0,-3e+00\n+1.991e+03,0.00\n' >whole.csv
both 0 '[1990 1991] [-3  0] [1990. 1991.]' 'let y: int[n] = load("whole.csv", "year")
let k: i8[n] = load("whole.csv", "n")
let f: f64[n] = load("whole.csv", "year")
print(y, k, f)'
printf 'n\n1e10\n' >far.csv
both 1 '1e10 is no value of type i32' 'let x: i32[n] = load("far.csv", "n")
print(x)'
printf 'n\n1e300\n' >far.csv
both 1 "'1e300' is no int: load it as f64" 'let x: int[n] = load("far.csv", "n")
print(x)'
printf 'n\n-1.0\n' >far.csv
both 1 '-1.0 is no value of type u8' 'let x: u8[n] = load("far.csv", "n")
print(x)'

# Whatever parts the values
printf '1 2  3\n 4\t5 6 \r\n7 8 9' >blanks.txt
printf '1;2;3\n4;5;6\n7;8;9\n' >semicolons.csv
printf 'a\tb\tc\n1\t2\t3\n4\t5\t6\n7\t8\t9\n' >tabs.tsv
printf '\357\273\277# made by hand\n# a b c\n1,2,3\n4,5,6 # behind\n7,8,"9"\n' >marked.dat
for f in blanks.txt semicolons.csv tabs.tsv marked.dat; do
    both 0 '[[1 2 3]' "let x: int[n, m] = load(\"$f\")
print(x)"
    both 0 '45.0 true 3 3' "let x: f32[n, m] = load(\"$f\")
let y: u8[n, m] = load(\"$f\")
print(sum(x), all(y == u8(x)), n, m)"
done
both 0 '[2 5 8]' 'let x: i8[n] = load("marked.dat", "b")
print(x)'
both 1 'its columns have no names' 'let x: i8[n] = load("blanks.txt", "b")
print(x)'
printf '1\n2\n3\n' >one.txt
printf '1 2 3\n' >row.txt
printf 'true\n0\nFALSE\n' >bools.txt
for f in one.txt row.txt; do both 0 '[1 2 3]' "let x: u16[n] = load(\"$f\")
print(x)"; done
both 0 '[ true false false]' 'let x: bool[n] = load("bools.txt")
print(x)'
# Numbers as they are written
printf '0.1 1e23 123456789012345678901234567890 1.7976931348623157e308 4.9e-324 -0.0 inf -inf .5 5. 9007199254740993 3.0e-5\n' >hard.txt
both 0 'same' 'let x: f64[n] = load("hard.txt")
assert x[0] == 0.1 and x[1] == 1e23 and x[2] == 123456789012345678901234567890.0 and x[3] == 1.7976931348623157e308 and x[4] == 4.9e-324
assert 1 / x[5] == -inf and x[6] == inf and x[7] == -inf and x[8] == 0.5 and x[9] == 5 and x[10] == 9007199254740993.0 and x[11] == 3.0e-5
print("same")'
printf '9223372036854775807\n-9223372036854775808\n' >ints.txt
both 0 '[ 9223372036854775807 -9223372036854775808]' 'let x: int[n] = load("ints.txt")
print(x)'
both 1 '9223372036854775807 is no value of type i32' 'let x: i32[n] = load("ints.txt")
print(x)'
both 1 'line 2, field 1: -9223372036854775808 is no value of type u64' 'let x: u64[n] = load("ints.txt")
print(x)'

# What is wrong
wrong() { # text of the file, message
    printf "$1" >bad.csv
    both 1 "$2" 'let x: f64[n, m] = load("bad.csv")
print(x)'
}
wrong '1,2\n3,abc\n' "'bad.csv' is not a readable table: line 2, field 2: 'abc' is no number"
wrong '1,2\n3,4,5\n' 'line 2: 3 values stand here, and 2 in the first row'
wrong 'a,b\n1,2\n\n3\n' 'line 4: 1 value stands here, and 2 in the first row'
wrong '1,2\n3,"4\n' 'line 2, field 2: the quote is not closed on its line'
wrong '1,2\n3,"4"5\n' 'line 2, field 2: behind a quote the value must end'
wrong '1,2\n3,0x10\n' "line 2, field 2: '0x10' is no number"
wrong '1,2\n3,1e\n' "line 2, field 2: '1e' is no number"
wrong '1,2\n3,\0004\n' 'line 2: a byte of 0 stands here: this is no text'
wrong 'a,b,name\n1,2,3\n4,5,Oslo\n' "line 3, field 3 (name): 'Oslo' is no number"
wrong 'a,b,name\n1,2,3\n4,5,Oslo\n' 'load its texts by let x: str[n] = load("bad.csv", "name"), and the columns of numbers by'
wrong '"a, or b"\tb\n1\t2\n3\t"4\n' 'line 3, field 2 (b): the quote is not closed on its line'
wrong 'a;b\n1,5;2\n' 'numbers are written with a point: 1.5'
printf '# of size, "x\n1,2\n3,4\n' >comment.csv
both 0 '[[1. 2.]' 'let x: f64[n, m] = load("comment.csv")
print(x)'
wrong '# only a comment\n\n' 'it holds no values'
wrong '' 'it holds no values'
both 1 "cannot read 'nowhere.csv': No such file or directory" 'let x: f64[n, m] = load("nowhere.csv")
print(x)'
printf 'a,b\n' >empty.csv
both 0 '0 2' 'let x: f64[n, m] = load("empty.csv")
print(n, m)'
both 1 'has no parts with names' 'save("x.npy", [1.0])
let x: f64[n] = load("x.npy", "a")
print(x)'

# Writing: what is read again is the same.
both 0 'same' 'let x = [[0.1, 1e300, -2.5e-7], [nan, inf, 3.0]]
save("a.csv", x, "t, speed, q")
save("b.tsv", x)
save("c.txt", x[0])
save("d.dat", [[1, -2], [3, 4]], "a, b")
let a: f64[n, m] = load("a.csv")
let b: f64[n, m] = load("b.tsv")
let c: f64[k] = load("c.txt")
let d: int[p, q] = load("d.dat")
let s: f64[n] = load("a.csv", "speed")
assert all(a[0] == x[0]) and isnan(a[1, 0]) and a[1, 1] == inf and all(b[0] == a[0]) and all(c == x[0]) and all(d[1] == [3, 4]) and s[0] == 1e300
print("same")'
printf 't,speed,q\n0.1,1e+300,-2.5e-07\nnan,inf,3.0\n' | cmp - a.csv || { cat a.csv; exit 1; }
printf 'a b\n1 -2\n3 4\n' | cmp - d.dat || { cat d.dat; exit 1; }
both 1 '2 names for 3 columns' 'save("e.csv", [[1, 2, 3]], "a, b")'
both 1 'a table has rows and columns, and the array 3 axes' 'save("e.csv", zeros(f64, 2, 2, 2))'
both 1 'only tables have names of columns' 'save("e.npy", [1.0, 2.0], "a")'
both 1 'save knows no such kind of file' 'save("e.xls", [1.0, 2.0])'
[ ! -e e.csv ] && [ ! -e e.npy ] || { ls; exit 1; }

# A million rows take seconds.
cat >big.dsl <<'EOF3'
let n = 1000000
let x = randn(1, n, 3)
save("big.csv", x, "a,b,c")
let y: f64[k, m] = load("big.csv")
let b: f64[k] = load("big.csv", "b")
print(k == n and all(x == y) and all(b == y[:, 1]))
EOF3
expect 0 true timeout 60 "$DSLC" run big.dsl
