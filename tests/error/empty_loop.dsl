for i in 9:0 { print(i) }
for i in 3:3 { print(i) }
const n = 0
for i in 0:n { print(i) }
for i in 9:0:-1 { print(i) }
