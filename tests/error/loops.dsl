break
if true { continue }
for i in 0:3 { if i == 2 { break } }
parallel for i in 0:3 { break }
for i in 0:3 { spawn { break } }
fn f() { continue }
while 1 { }
for i in 0:2.5 { print(i) }
for i in 0:10:0 { print(i) }
var s = 2
for i in 0:10:s { print(i) }
